import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { MESSAGES_CLIENT, RESPONSES_CLIENT } from './support/api-clients.js';
import { type ApiRow, CALL_TABLE } from './support/api-table.js';
import { ApiTest } from './support/api-test.js';
import { chunkOf, USAGE } from './support/chat-answers.js';
import { messageOfEvents } from './support/messages-events.js';
import { eventsIn, ResponsesFollower } from './support/responses-events.js';
import { json, type Script, sse } from './support/script.js';

const CALL = { id: 'call_a', type: 'function', function: { name: 'bash', arguments: '{"command":"rm -rf /srv/x' } };

/** A Chat Completions answer that ends within a tool call. */
function cutCall(finish: string, streamed: boolean): Script {
  if (streamed) return sse([chunkOf({ role: 'assistant', tool_calls: [{ index: 0, ...CALL }] }), chunkOf({}, finish)]);
  const message = { role: 'assistant', content: null, tool_calls: [CALL] };
  return json(200, { model: 'up', choices: [{ index: 0, message, finish_reason: finish }], usage: USAGE });
}

const test = await ApiTest.start();

describe.each([false, true])('a tool call that the upstream cut (stream: %s)', (streamed) => {
  async function answer(row: ApiRow, finish: string) {
    test.a.enqueue(cutCall(finish, streamed));
    const response = await test.ask(row, { stream: streamed });
    return response.text();
  }

  it.each([
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
  ])(
    'a tool call that the upstream cut by %s has the stop reason %s at Messages, not tool_use',
    async (finish, reason) => {
      const text = await answer(rowOf(MESSAGES_CLIENT), finish);
      const message = streamed ? messageOfEvents(text) : JSON.parse(text);
      expect(message).toMatchObject({ stop_reason: reason, content: [{ type: 'tool_use', name: 'bash' }] });
    },
  );

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('a tool call that the upstream cut by %s is incomplete at Responses, because of %s', async (finish, reason) => {
    const text = await answer(rowOf(RESPONSES_CLIENT), finish);
    expect(streamed ? new ResponsesFollower(eventsIn(text)).response : JSON.parse(text)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
      output: [{ type: 'function_call', status: 'incomplete' }],
    });
  });
});

it.each([
  { client: MESSAGES_CLIENT, expected: { stop_reason: 'max_tokens' } },
  { client: RESPONSES_CLIENT, expected: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } } },
])('a tool call that the gateway cut for a budget is told as cut: $client.api', async ({ client, expected }) => {
  const row = rowOf(client);
  const user = await test.gateway.createUser();
  const limits = test.gateway.services.get(UserLimitsService);
  await limits.set(user.id, { budgetTotalNanodollars: 20_000_000n }, GATEWAY);
  test.a.enqueue(cutCall('length', false));
  const response = await test.ask(row, { [client.ceiling]: 4000 }, { user });
  const ceiling = Number(response.headers.get('x-gateway-output-ceiling'));
  expect(ceiling).toBeGreaterThan(0);
  expect(test.a.requests.at(-1)?.json()).toMatchObject({ [row.wire.ceiling]: ceiling });
  expect(await response.json()).toMatchObject(expected);
});

/** The row of an API that is translated to Chat Completions. */
function rowOf(client: ApiRow['client']): ApiRow {
  const found = CALL_TABLE.find(([, row]) => row.client === client && row.model === 'compatible');
  if (!found) throw new Error('There is no such row.');
  return found[1];
}
