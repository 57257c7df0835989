import { describe, expect, it } from '@jest/globals';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { from, lastValueFrom, toArray } from 'rxjs';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest, ChatMessage } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { nativeResponses } from '../openai-responses/native.api.js';
import { openRouterDialect } from './openrouter.dialect.js';

const adapter = openAiAdapter(openRouterDialect);
const call = providerCall();

function chunksOf(...events: object[]) {
  const framed = events.map((event) => ({ event: '', data: JSON.stringify(event) }));
  return lastValueFrom(from(framed).pipe(adapter.fromStream(call), toArray()));
}

function bodyOf(fields: Partial<ChatCompletionRequest>): JsonObject {
  return adapter.toRequest(providerCall(fields)).body;
}

/** The upstream request after a client sends the answer back. */
function sentBack(message: unknown): unknown {
  const answer: ChatMessage = JSON.parse(JSON.stringify(message));
  return (bodyOf({ messages: [{ role: 'user', content: 'Hi' }, answer] }).messages as unknown[])[1];
}

describe('a request to OpenRouter', () => {
  it("has the effort in its own format, and keeps the caller's", () => {
    expect(bodyOf({ reasoning_effort: 'none' })).toMatchObject({ reasoning: { effort: 'none' } });
    expect(bodyOf({ reasoning_effort: 'low' })).not.toHaveProperty('reasoning_effort');
    const own = { max_tokens: 2000 };
    expect(bodyOf({ reasoning_effort: 'low', reasoning: own }).reasoning).toBe(own);
  });

  it('never has a paid service read the files of a model with prices, in either API', () => {
    const file = { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' };
    const messages: ChatMessage[] = [{ role: 'user', content: [{ type: 'file', file }] }];
    const plugins = [{ id: 'file-parser', pdf: { engine: 'native' } }];
    expect(adapter.toRequest({ ...providerCall({ messages }), isPaid: true }).body).toMatchObject({ plugins });
    expect(adapter.toRequest(providerCall({ messages })).body).not.toHaveProperty('plugins');
    const input = [{ type: 'function_call_output', call_id: 'a', output: [{ type: 'input_file', ...file }] }];
    const native = { api: 'responses' as const, fields: { input, plugins: [{ id: 'web' }] }, headers: {} };
    const responses = nativeResponses(openRouterDialect);
    expect(responses.toRequest({ ...call, isPaid: true }, native).body).toMatchObject({ input, plugins });
    const misled = { ...native, fields: { ...native.fields, messages: [] } };
    expect(responses.toRequest({ ...call, isPaid: true }, misled).body).toMatchObject({ input, plugins });
    expect(responses.toRequest(call, native).body).not.toHaveProperty('plugins');
  });

  it('may request pictures, and has those of earlier answers', () => {
    const images = [{ type: 'image_url', index: 0, image_url: { url: 'data:image/png;base64,AA' } }];
    const messages: ChatMessage[] = [{ role: 'assistant', content: 'Here.', images }];
    const sent = adapter.toRequest(providerCall({ messages, modalities: ['text', 'image'] }));
    expect(sent.body).toMatchObject({ messages, modalities: ['text', 'image'] });
    expect(sent.ignored).toEqual([]);
  });

  it('never selects a model, provider or plug-in other than configured', () => {
    const elsewhere = {
      models: ['a/b'],
      provider: { only: ['x'] },
      plugins: [{ id: 'web' }],
      preset: 'p',
      route: 'fallback',
    };
    expect(bodyOf(elsewhere)).toEqual(bodyOf({}));
  });
});

describe('signed reasoning', () => {
  const text = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };
  const whole = { ...text, text: 'The city is Rome.', signature: 'c2ln' };
  const encrypted = {
    type: 'reasoning.encrypted',
    data: 'ZGF0YQ==',
    id: 'rs_1',
    format: 'openai-responses-v1',
    index: 0,
  };
  const calls = [{ index: 0, id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '{}' } }];
  const delta = (fields: object) => ({ choices: [{ index: 0, delta: { role: 'assistant', content: '', ...fields } }] });

  const streamed = [
    delta({ reasoning: 'The city', reasoning_details: [{ ...text, text: 'The city' }] }),
    delta({ reasoning: ' is Rome.', reasoning_details: [{ ...text, text: ' is Rome.', signature: null }] }),
    delta({ reasoning_details: [{ ...text, signature: 'c2ln' }, encrypted] }),
    delta({ reasoning_details: [encrypted] }),
    delta({ tool_calls: calls }),
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ];

  it('is restored from a stream merged by the SDK', async () => {
    const chunks = await chunksOf(...streamed);
    expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
    const lines = chunks.map((chunk) => Buffer.from(`${JSON.stringify(chunk)}\n`));
    const gathered = ChatCompletionStream.fromReadableStream(ReadableStream.from(lines));
    const message = (await gathered.finalChatCompletion()).choices[0]?.message;
    expect(sentBack(message)).toMatchObject({
      role: 'assistant',
      reasoning_details: [whole, encrypted, encrypted],
      tool_calls: [{ id: 'toolu_1' }],
    });
  });

  it('is sent once, with the finish reason', async () => {
    const telling = (await chunksOf(...streamed)).filter(({ choices }) => choices[0]?.delta.reasoning_details);
    expect(telling.map(({ choices }) => choices[0]?.finish_reason)).toEqual(['tool_calls']);
  });

  it('is restored unchanged from a whole answer', () => {
    const details = [{ ...text, text: 'a', signature: 'x' }, { ...text, text: 'b', signature: 'y' }, encrypted];
    const message = { role: 'assistant', content: 'Rome', reasoning: 'ab', reasoning_details: details };
    const completion = adapter.fromResponse({ choices: [{ index: 0, message, finish_reason: 'stop' }] }, call);
    expect(schemaFaults('completion', completion)).toEqual([]);
    expect(completion.choices[0]?.message).toMatchObject({ reasoning_content: 'ab', reasoning_details: details });
    expect(sentBack(completion.choices[0]?.message)).toEqual({
      role: 'assistant',
      content: 'Rome',
      reasoning_details: details,
    });
  });
});

describe('an error of a provider behind OpenRouter', () => {
  const wrapped = (raw: unknown, code = 400) => ({
    error: { message: 'Provider returned error', code, metadata: { raw, provider_name: 'Some' } },
  });

  it("has the provider's message and field", () => {
    const raw = JSON.stringify({ error: { message: "'top_p' is not supported", param: 'top_p', code: null } });
    const { body } = adapter.toError(400, {}, wrapped(raw), call);
    expect(body).toMatchObject({ message: "'top_p' is not supported", param: 'top_p', code: 'invalid_value' });
    const tooLong = { error: { message: 'prompt is too long', code: 'context_length_exceeded' } };
    expect(adapter.toError(400, {}, wrapped(tooLong), call).body.code).toBe('context_length_exceeded');
  });

  it.each([
    ['plain text', 'Rate-limited upstream.', 429],
    ['a message of another status', JSON.stringify({ error: { message: 'x', code: '400' } }), 429],
    ['nothing', '', 429],
  ])("keeps the router's status: %s", async (_what, raw, code) => {
    expect(adapter.toError(code, {}, wrapped(raw, code), call).status).toBe(429);
    const error = { ...wrapped(raw, code), choices: [{ index: 0, delta: {}, finish_reason: 'error' }] };
    await expect(chunksOf(error)).rejects.toMatchObject({ status: 429 });
    const inChoice = { choices: [{ index: 0, delta: {}, ...wrapped(raw, code) }] };
    await expect(chunksOf(inChoice)).rejects.toMatchObject({ status: 429 });
  });

  it('about flagged input is not a refused credential', () => {
    const error = { code: 403, message: 'Your input was flagged for "violence".', metadata: { reasons: ['violence'] } };
    expect(adapter.toError(403, {}, { error }, call).body.code).toBe('content_filter');
    expect(adapter.toError(403, {}, { error: { code: 403, message: 'Forbidden' } }, call).status).toBe(502);
  });
});
