import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { anthropicAdapter } from './anthropic.adapter.js';

const adapter = anthropicAdapter;
const place = { project: 'my-project', location: 'us-east5' };

function callTo(settings: Readonly<Record<string, string>>, stream: boolean) {
  const upstreamModel = 'claude-sonnet-4-5@20250929';
  return { ...providerCall({ stream, messages: [{ role: 'user', content: 'Hi' }] }), upstreamModel, settings };
}

const fields = { model: 'public', max_tokens: 10, messages: [], future: 1 };
const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a,b' };

describe('Claude on Vertex AI', () => {
  it.each([
    [
      place,
      true,
      '/v1/projects/my-project/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict',
    ],
    [
      { project: 'p' },
      false,
      '/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict',
    ],
  ])('%j, streamed %p, is called at %s', (settings, stream, path) => {
    const call = callTo(settings, stream);
    const chat = adapter.toRequest(call);
    const native = adapter.nativeApi('messages')?.toRequest(call, { api: 'messages', fields, headers });
    expect([chat.path, native?.path]).toEqual([path, path]);
    expect(chat.headers).toEqual({});
    expect(chat.body).toMatchObject({ anthropic_version: 'vertex-2023-10-16', messages: [expect.anything()], stream });
    expect(chat.body).not.toHaveProperty('model');
  });

  it('gets native requests unchanged, with beta features in their header', () => {
    const native = adapter.nativeApi('messages')?.toRequest(callTo(place, false), { api: 'messages', fields, headers });
    const { model: _, ...others } = fields;
    expect(native?.body).toEqual({ anthropic_version: 'vertex-2023-10-16', ...others });
    expect(native?.headers).toEqual({ 'anthropic-beta': 'a,b' });
  });
});

it.each([
  [
    'Vertex AI',
    place,
    '/v1/projects/my-project/locations/us-east5/publishers/anthropic/models/count-tokens:rawPredict',
  ],
  ['Anthropic', {}, '/v1/messages/count_tokens'],
])('%s counts tokens', (_host, settings, path) => {
  const call = callTo(settings, false);
  const request = adapter.nativeApi('messages')?.counts?.toRequest(call, { api: 'messages', fields, headers });
  expect(request).toMatchObject({ path, body: { ...fields, model: call.upstreamModel } });
});

const UNKNOWN_BETA = 'Unexpected value(s) `b` for the `anthropic-beta` header. Please consult our documentation.';

it.each([
  ['Vertex AI', place, 'a'],
  ['Anthropic', {}, null],
])('a request with a beta feature that %s does not know', (_host, settings, repeated) => {
  const call = callTo(settings, false);
  const body = { type: 'error', error: { type: 'invalid_request_error', message: UNKNOWN_BETA } };
  const { failure } = adapter.toError(400, {}, body, call);
  const again = adapter.nativeApi('messages')?.withoutRefused({ api: 'messages', fields, headers }, failure);
  expect(again?.body.headers['anthropic-beta'] ?? null).toBe(repeated);
});

it('an upstream without a project is Anthropic itself', () => {
  const { path, headers, body } = adapter.toRequest(callTo({}, false));
  expect({ path, headers }).toEqual({ path: '/v1/messages', headers: { 'anthropic-version': '2023-06-01' } });
  expect(body.model).toBe('claude-sonnet-4-5@20250929');
});
