import { describe, expect, it } from '@jest/globals';
import { chunksOf, eventsIn, sseOf } from '../../../../test/support/native-checks.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { NativeBody } from '../../contract/native.body.js';
import { openRouterDialect } from '../openrouter/openrouter.dialect.js';
import { vllmDialect } from '../vllm/vllm.dialect.js';
import { xaiDialect } from '../xai/xai.dialect.js';
import { NativeResponses, nativeResponses } from './native.api.js';

const native = new NativeResponses({ path: () => '/responses' });
const call = providerCall({ stream: true });

function bodyOf(fields: object): NativeBody {
  return { api: 'responses', fields: { model: 'public-model', ...fields }, headers: {} };
}

const event = (type: string, fields: object = {}) => `data: ${JSON.stringify({ type, ...fields })}\n\n`;
const response = { id: 'resp_1', model: 'upstream-model', store: true, output: [], status: 'in_progress' };
const PREAMBLE = event('response.created', { response }) + event('response.in_progress', { response });

describe('the start of a native stream', () => {
  it('is held back until the first other event, so that a refused call can be sent to another target', async () => {
    const refusal = event('error', { code: 'server_error', message: 'Overloaded.' });
    const seen: unknown[] = [];
    await chunksOf({ native, call }, [Buffer.from(PREAMBLE + refusal)]).then(
      (chunks) => seen.push(chunks),
      (error) => expect(error).toMatchObject({ advice: 'retry' }),
    );
    expect(seen).toEqual([]);
  });

  it('is sent with the first other event, in one chunk', async () => {
    const item = event('response.output_item.added', { output_index: 0, item: { type: 'message' } });
    const done = event('response.completed', { response: { ...response, status: 'completed' } });
    const chunks = await chunksOf({ native, call }, [Buffer.from(PREAMBLE + item + done)]);
    expect(chunks.map(({ nativeEvents }) => eventsIn(nativeEvents?.text ?? '').map((one) => one.event))).toEqual([
      ['response.created', 'response.in_progress', 'response.output_item.added'],
      ['response.completed'],
    ]);
  });

  it('is held back only up to a limit', async () => {
    const large = { ...response, instructions: 'x'.repeat(600_000) };
    const preamble =
      event('response.created', { response: large }) + event('response.in_progress', { response: large });
    const done = event('response.completed', { response: { ...response, status: 'completed' } });
    expect(await chunksOf({ native, call }, [Buffer.from(preamble + done)])).toHaveLength(2);
  });

  it('has the public model in every whole response', async () => {
    const done = event('response.incomplete', { response: { ...response, status: 'incomplete' } });
    const text = sseOf(await chunksOf({ native, call }, [Buffer.from(PREAMBLE + done)]));
    expect(text).not.toContain('upstream-model');
    expect(text.match(/"model":"public-model","store":false/g)).toHaveLength(3);
  });

  it('may be written in several lines', async () => {
    const lines = JSON.stringify({ type: 'response.completed', response }, null, 1).replaceAll('\n', '\ndata: ');
    const text = sseOf(await chunksOf({ native, call }, [Buffer.from(`data: ${lines}\n\n`)]));
    expect(text).toBe(
      `event: response.completed\ndata: ${lines.replace('upstream-model', 'public-model').replace('true', 'false')}\n\n`,
    );
  });
});

describe('a native Responses request', () => {
  it.each([
    ['openrouter', nativeResponses(openRouterDialect), ['provider', 'plugins', 'models', 'preset'], '/responses'],
    ['vllm', nativeResponses(vllmDialect), ['cache_salt', 'priority', 'request_id'], '/responses'],
    ['xai', nativeResponses(xaiDialect), ['search_parameters'], '/responses'],
  ])('does not control the servers of %s', (_protocol, api, fields, path) => {
    const steering = Object.fromEntries(fields.map((field) => [field, 'x']));
    const request = api.toRequest(call, bodyOf({ input: 'Hi', ...steering, other: 1 }));
    expect(request).toMatchObject({ path, body: { input: 'Hi', other: 1 } });
    expect(Object.keys(request.body).filter((name) => fields.includes(name))).toEqual([]);
    expect(request.ignored).toEqual(expect.arrayContaining(fields));
  });

  it('is not streamed unless the client requested it', () => {
    const whole = providerCall();
    expect(native.toRequest(whole, bodyOf({ input: 'Hi' })).body).not.toHaveProperty('stream');
    expect(native.toRequest(whole, bodyOf({ stream: null })).body.stream).toBe(false);
    expect(native.toRequest(call, bodyOf({ stream: true })).body.stream).toBe(true);
  });
});

describe('an error of a native Responses API', () => {
  it.each([
    ['input[0].content', 'input[0].content'],
    ['text.format', 'text.format'],
    ['max_output_tokens', 'max_output_tokens'],
  ])('names the field %s of its own API', (param, expected) => {
    const error = native.toError(400, {}, { error: { message: 'Wrong.', param } }, call);
    expect(error.body.param).toBe(expected);
  });

  const unreadable = {
    error: {
      code: 'invalid_encrypted_content',
      message: 'The encrypted content for item rs_1 could not be verified.',
    },
  };

  it('is recognized if reasoning of earlier turns cannot be read', () => {
    expect(native.toError(400, {}, unreadable, call).failure.refusedPart).toBe('reasoning');
    const xais = { error: 'Could not decrypt the provided encrypted_content.' };
    expect(native.toError(400, {}, xais, call).failure.refusedPart).toBe('reasoning');
    expect(native.toError(500, {}, unreadable, call).failure.refusedPart).toBeUndefined();
    expect(native.toError(400, {}, { error: { message: 'Bad.' } }, call).failure.refusedPart).toBeUndefined();
  });

  it('leads to the request without the reasoning of earlier turns', () => {
    const { failure } = native.toError(400, {}, unreadable, call);
    const user = { role: 'user', content: 'Hi' };
    const output = { type: 'function_call_output', call_id: 'c', output: '1' };
    const called = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
    const input = [user, { type: 'reasoning', id: 'rs_1', encrypted_content: 'x' }, { ...called, id: 'fc_1' }, output];
    const again = native.withoutRefused(bodyOf({ input, other: 1 }), failure);
    expect(again?.body.fields).toEqual({ model: 'public-model', input: [user, called, output], other: 1 });
    expect(again?.leftOut).toEqual(['input[1]']);
    expect(native.withoutRefused(bodyOf({ input: [user] }), failure)).toBeNull();
    expect(native.withoutRefused(bodyOf({ input: 'Hi' }), failure)).toBeNull();
    expect(native.withoutRefused(bodyOf({ input }), { status: 400 })).toBeNull();
  });
});
