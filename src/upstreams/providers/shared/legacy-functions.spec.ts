import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { answerOfCompletion, answerOfStream } from '../../../../test/support/client-answer.js';
import { readExchange } from '../../../../test/support/exchanges.js';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest, ChatMessage } from '../../contract/chat.types.js';
import type { ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { framed } from '../../framing/framing.js';
import { cohereAdapter } from '../cohere/cohere.adapter.js';
import { PROVIDERS } from '../providers.js';
import { withLegacyFunctions } from './legacy-functions.adapter.js';

const here = fileURLToPath(new URL('..', import.meta.url));
const QUESTION: Partial<ChatCompletionRequest> = { messages: [{ role: 'user', content: 'Weather in Paris?' }] };
const FUNCTIONS = [{ name: 'get_weather', description: 'Looks it up', parameters: { type: 'object', properties: {} } }];

function adapterOf(protocol: string) {
  const adapter = PROVIDERS.find((listed) => listed.protocol === protocol);
  if (!adapter) throw new Error(protocol);
  return adapter;
}

function sentBy(protocol: string, request: Partial<ChatCompletionRequest>) {
  return adapterOf(protocol).toRequest(providerCall({ ...QUESTION, ...request })).body;
}

describe('functions', () => {
  it('become tools, and function_call becomes the tool choice', () => {
    const tools = [{ type: 'function', function: FUNCTIONS[0] }];
    expect(sentBy('deepseek', { functions: FUNCTIONS })).toMatchObject({ tools });
    expect(sentBy('deepseek', { functions: FUNCTIONS })).not.toHaveProperty('functions');
    const chosen = { functions: FUNCTIONS, function_call: { name: 'get_weather' } };
    const tool_choice = { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true };
    expect(sentBy('anthropic', chosen)).toMatchObject({ tools: [{ name: 'get_weather' }], tool_choice });
    expect(sentBy('cohere', { functions: FUNCTIONS, function_call: 'none' })).toMatchObject({ tool_choice: 'NONE' });
  });

  it('are unchanged if the API supports them', () => {
    expect(sentBy('openai', { functions: FUNCTIONS, function_call: 'auto' })).toMatchObject({
      functions: FUNCTIONS,
      function_call: 'auto',
    });
  });

  it('functions of earlier messages become calls with ids, and their results', () => {
    const called = (city: string) => ({ name: 'get_weather', arguments: `{"city":"${city}"}` });
    const messages: ChatCompletionRequest['messages'] = [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: null, function_call: called('Paris') },
      { role: 'function', name: 'get_weather', content: 'rain' },
      { role: 'assistant', content: null, function_call: called('Rome') },
      { role: 'function', name: 'get_weather', content: 'sun' },
    ];
    const { contents } = sentBy('gemini', { messages, functions: FUNCTIONS }) as { contents: unknown[] };
    expect(contents).toMatchObject([
      {},
      { parts: [{ functionCall: { id: 'call_function_1', name: 'get_weather', args: { city: 'Paris' } } }] },
      { parts: [{ functionResponse: { id: 'call_function_1', response: { output: 'rain' } } }] },
      { parts: [{ functionCall: { id: 'call_function_2', args: { city: 'Rome' } } }] },
      { parts: [{ functionResponse: { id: 'call_function_2', name: 'get_weather', response: { output: 'sun' } } }] },
    ]);
  });

  it('never reach an adapter without support for them, in any conversation', () => {
    const called = { name: 'f', arguments: '{}' };
    const message: fc.Arbitrary<ChatMessage> = fc.constantFrom<ChatMessage[]>(
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, function_call: called },
      { role: 'assistant', content: 'Hi', function_call: null },
      { role: 'assistant', function_call: called, tool_calls: [{ id: 'a', type: 'function', function: called }] },
      { role: 'function', name: 'f', content: null },
      { role: 'function', name: 'unheard_of', content: 'r' },
      { role: 'tool', tool_call_id: 'a', content: 'r' },
    );
    const shown: ChatCompletionRequest[] = [];
    const adapter = withLegacyFunctions({
      ...cohereAdapter,
      toRequest({ request }: ProviderCall): ProviderRequest {
        shown.push(request);
        return { method: 'POST', path: '/', headers: {}, body: {} };
      },
    });
    fc.assert(
      fc.property(fc.array(message), fc.boolean(), (messages, hasFunctions) => {
        adapter.toRequest(providerCall({ messages, ...(hasFunctions && { functions: FUNCTIONS }) }));
      }),
    );
    expect(shown.length).toBeGreaterThan(50);
    const messages = shown.flatMap((request) => request.messages);
    expect(messages.filter(({ role }) => role === 'function')).toEqual([]);
    expect(messages.filter((reported) => 'function_call' in reported && reported.function_call != null)).toEqual([]);
    expect(shown.filter((request) => request.functions != null)).toEqual([]);
    expect(PROVIDERS.filter(({ capabilities }) => capabilities.functions === false)).toEqual([]);
  });

  it('do not change other properties of an adapter', () => {
    const bedrock = PROVIDERS.find(({ protocol }) => protocol === 'bedrock');
    expect(bedrock).toMatchObject({ whenCallerLeaves: 'finish', framing: 'aws-event-stream', auth: { kind: 'sigv4' } });
  });

  it('are named in the error if the API refuses its tools', () => {
    const call = providerCall({ ...QUESTION, functions: FUNCTIONS });
    const body = { type: 'error', error: { type: 'invalid_request_error', message: 'tools.0.name: too long' } };
    expect(adapterOf('anthropic').toError(400, {}, body, call).body.param).toBe('functions');
  });
});

/** All adapters with code of their own, and one dialect of OpenAI's format. */
const ANSWERING = ['anthropic', 'gemini', 'bedrock', 'cohere', 'openai-responses', 'mistral'];

const ANSWERS = ANSWERING.flatMap((protocol) => {
  const folder = join(here, protocol, 'fixtures');
  const index: Record<string, string[] | { absent: string }> = JSON.parse(
    readFileSync(join(folder, 'index.json'), 'utf8'),
  );
  const files = [index.tools, index['parallel-tools']].flatMap((listed) => (Array.isArray(listed) ? listed : []));
  return files.map((file) => [protocol, file, readExchange(folder, file)] as const);
});

it.each(ANSWERS)('the answer of %s to functions is a function call: %s', async (protocol, _file, exchange) => {
  const adapter = adapterOf(protocol);
  const tools = providerCall({ ...QUESTION, stream: exchange.stream !== null });
  const legacy = { ...tools, request: { ...tools.request, functions: FUNCTIONS } };
  const reported = async (call: typeof tools) => {
    if (exchange.stream === null) {
      const completion = adapter.fromResponse(structuredClone(exchange.body), call);
      return { faults: schemaFaults('completion', completion), answer: answerOfCompletion(completion) };
    }
    const bytes = Buffer.from(exchange.stream, exchange.encoding);
    const chunks = await lastValueFrom(
      from([bytes]).pipe(framed(adapter.framing), adapter.fromStream(call), toArray()),
    );
    return { faults: chunks.flatMap((chunk) => schemaFaults('chunk', chunk)), answer: answerOfStream(chunks) };
  };
  const expected = (await reported(tools)).answer.choices[0];
  const { faults, answer } = await reported(legacy);
  const { id, ...first } = expected?.toolCalls[0] ?? { id: '', name: '', arguments: '' };
  expect(faults).toEqual([]);
  expect(answer.choices[0]).toEqual({
    ...expected,
    toolCalls: [],
    functionCall: first,
    finish: 'function_call',
  });
});
