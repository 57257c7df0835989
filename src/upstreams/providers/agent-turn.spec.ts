import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { bytesOf, CALL, replay } from '../../../test/support/adapter-checks.js';
import { AGENT_TURN, isInOrder, NEEDED_REASONING } from '../../../test/support/agent-turn.js';
import { bodyAt, DESTINATIONS, faultsOf } from '../../../test/support/destinations.js';
import { fixtureOf } from '../../../test/support/native-upstream.js';
import type { ChatCompletionRequest, ChatResponseMessage } from '../contract/chat.types.js';
import { type ListedAdapter, PROVIDERS } from './providers.js';
import { joinedMessage } from './shared/whole-answer.js';

const QUESTION = { role: 'user' as const, content: AGENT_TURN.question };
const tools: ChatCompletionRequest['tools'] = [
  { type: 'function', function: { name: AGENT_TURN.tool, parameters: AGENT_TURN.schema } },
];

function hasAgentTurn({ protocol }: ListedAdapter): boolean {
  const index = JSON.parse(readFileSync(join(import.meta.dirname, protocol, 'fixtures/index.json'), 'utf8'));
  return Array.isArray(index['agent-turn']);
}

async function answerOf(adapter: ListedAdapter, streamed: boolean): Promise<ChatResponseMessage> {
  const exchange = fixtureOf(adapter.protocol, 'agent-turn', streamed);
  if (streamed) {
    const chunks = await replay(adapter, [bytesOf(exchange)]);
    return joinedMessage(chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta)));
  }
  const { message } = adapter.fromResponse(exchange.body, CALL).choices[0] ?? {};
  if (!message) throw new Error('The answer has no message.');
  return message;
}

/** The request after the answer's tools have run. */
function secondTurn(answer: ChatResponseMessage): Partial<ChatCompletionRequest> {
  const results = (answer.tool_calls ?? []).map(({ id }, index) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: `result ${index}`,
  }));
  const messages = [QUESTION, answer, ...results] as ChatCompletionRequest['messages'];
  return { messages, tools };
}

const adapters = PROVIDERS.filter(hasAgentTurn);
const destinations = DESTINATIONS.filter(({ adapter }) => adapters.includes(adapter));

it('every API with reasoning and tools has an agent turn', () => {
  expect(adapters.length).toBeGreaterThanOrEqual(Object.keys(NEEDED_REASONING).length);
});

describe.each(destinations.map((one) => [`${one.name} ${one.model}`, one] as const))(
  'the second turn of an agent at %s',
  (_name, destination) => {
    it.each([false, true])(
      'is valid, with its results behind their calls (first answer streamed: %s)',
      async (streamed) => {
        const answer = await answerOf(destination.adapter, streamed);
        const body = bodyAt(destination, secondTurn(answer));
        expect(faultsOf(destination, body)).toEqual([]);
        expect(isInOrder(body, [AGENT_TURN.text, 'result 0', 'result 1'])).toBe(true);
      },
    );

    it('is the same after a streamed and after a whole answer', async () => {
      const [whole, streamed] = await Promise.all([false, true].map((form) => answerOf(destination.adapter, form)));
      expect(bodyAt(destination, secondTurn(streamed as ChatResponseMessage))).toEqual(
        bodyAt(destination, secondTurn(whole as ChatResponseMessage)),
      );
    });
  },
);

it.each(Object.entries(NEEDED_REASONING))('%s gets back what it needs of its reasoning', async (protocol, needed) => {
  const destination = destinations.find(({ name }) => name === protocol);
  if (!destination) throw new Error(`${protocol} has no agent turn.`);
  const body = bodyAt(destination, secondTurn(await answerOf(destination.adapter, true)));
  expect(isInOrder(body, [needed, 'result 0'])).toBe(true);
});
