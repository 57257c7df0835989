import { describe, expect, it } from '@jest/globals';
import { schemaFaults } from '../../../test/support/openai-schema.js';
import { UpstreamError, type UpstreamFailure } from './upstream.error.js';

const noRetry = { 'x-should-retry': 'false' };
const refused = { message: 'Their words.', param: 'top_k' };

describe("the caller's error for an upstream failure", () => {
  it.each<[string, UpstreamFailure, number, string, string, string]>([
    ['400', { status: 400 }, 400, 'invalid_value', 'invalid_request_error', 'never'],
    ['422', { status: 422 }, 400, 'invalid_value', 'invalid_request_error', 'never'],
    ['413', { status: 413 }, 413, 'request_too_large', 'invalid_request_error', 'never'],
    ['401', { status: 401 }, 502, 'upstream_error', 'server_error', 'other-target'],
    ['402', { status: 402 }, 502, 'upstream_error', 'server_error', 'other-target'],
    ['403', { status: 403 }, 502, 'upstream_error', 'server_error', 'other-target'],
    ['404', { status: 404 }, 502, 'upstream_error', 'server_error', 'other-target'],
    ['429 of a spent quota', { status: 429, quotaSpent: true }, 502, 'upstream_error', 'server_error', 'other-target'],
    [
      '400 of a bad key',
      { status: 400, credentialRefused: true },
      502,
      'upstream_error',
      'server_error',
      'other-target',
    ],
    ['429', { status: 429 }, 429, 'upstream_rate_limited', 'requests', 'retry'],
    ['408', { status: 408 }, 504, 'upstream_timeout', 'server_error', 'retry'],
    ['504', { status: 504 }, 504, 'upstream_timeout', 'server_error', 'retry'],
    ['529', { status: 529 }, 503, 'overloaded', 'server_error', 'retry'],
    ['503', { status: 503 }, 503, 'overloaded', 'server_error', 'retry'],
    ['500', { status: 500 }, 502, 'upstream_error', 'server_error', 'retry'],
    ['418', { status: 418 }, 502, 'upstream_error', 'server_error', 'never'],
    ['a truncated answer', { status: 502, incomplete: true }, 502, 'upstream_incomplete', 'server_error', 'retry'],
    ['no connection', { status: 0 }, 502, 'upstream_unreachable', 'server_error', 'retry'],
  ])('%s', (_what, failure, status, code, type, advice) => {
    const error = new UpstreamError({ ...failure, ...refused });
    expect({ status: error.status, advice: error.advice }).toEqual({ status, advice });
    expect(error.body).toMatchObject({ code, type });
    expect(schemaFaults('error', { error: error.body })).toEqual([]);
    const shows = status === 400;
    expect([error.body.message.includes('Their words.'), error.body.param]).toEqual([shows, shows ? 'top_k' : null]);
  });

  it.each([
    [undefined, 'no such path'],
    ['Not Found', 'no such path'],
    ['404 page not found', 'no such path'],
    ['Resource not found', 'no such path'],
    ['Invalid URL (POST /v1/response)', 'no such path'],
    ['model: claude-none', 'does not have the model'],
    ['The model `gpt-none` does not exist or you do not have access to it.', 'does not have the model'],
    ['models/gemini-none is not found for API version v1beta', 'does not have the model'],
    ['The API deployment for this resource does not exist.', 'does not have the model'],
    ["model 'llama-none' not found", 'does not have the model'],
  ])('404 with the message %p says that the upstream has %s', (message, what) => {
    const error = new UpstreamError({ status: 404, message });
    expect(error.body.message).toContain(what);
    expect(error).toMatchObject({ status: 502, advice: 'other-target', headers: noRetry });
  });

  it.each(["Item with id 'rs_1' not found.", 'No such File object: file-1', 'File not found: file_1'])(
    '404 with the message %p is a refused request, as the item is missing',
    (message) => {
      const error = new UpstreamError({ status: 404, message, param: 'input' });
      expect(error).toMatchObject({ status: 400, advice: 'never', body: { message, param: 'input' } });
    },
  );

  it.each([401, 404, 418])('%i tells the client not to retry', (status) => {
    expect(new UpstreamError({ status }).headers).toEqual(noRetry);
  });

  it.each([400, 413, 408, 500, 0])('%i lets the client apply its own rules', (status) => {
    expect(new UpstreamError({ status }).headers).toEqual({});
  });

  it.each([
    [undefined, '1', '1000'],
    [0, '1', '1000'],
    [1500.5, '2', '1501'],
    [60_000, '60', '60000'],
  ])('429 and 503 with a wait of %p ms have Retry-After: %s', (retryAfterMs, seconds, ms) => {
    for (const status of [429, 503, 529]) {
      const { headers } = new UpstreamError({ status, retryAfterMs });
      expect(headers).toEqual({ 'retry-after': seconds, 'retry-after-ms': ms });
    }
  });

  it('503 with a wait longer than SDKs accept tells the client not to retry', () => {
    expect(new UpstreamError({ status: 503, retryAfterMs: 61_000 }).headers).toMatchObject({
      'x-should-retry': 'false',
    });
    expect(new UpstreamError({ status: 429, retryAfterMs: 61_000 }).headers).not.toHaveProperty('x-should-retry');
  });

  it("a refused request keeps the upstream's code", () => {
    const status = 400;
    const long = new UpstreamError({ status, code: 'context_length_exceeded', ...refused });
    expect(long.body).toMatchObject({ code: 'context_length_exceeded', param: 'messages' });
    const filtered = new UpstreamError({ status, code: 'content_filter', message: 'No.' });
    expect(filtered.body).toMatchObject({ code: 'content_filter', param: null, message: 'No.' });
  });

  it("shows at most 1 kB of the upstream's message", () => {
    expect(new UpstreamError({ status: 400, message: 'x'.repeat(5000) }).body.message).toHaveLength(1000);
  });

  it('has a message if the upstream sent none', () => {
    expect(new UpstreamError({ status: 400 }).body.message).toMatch(/refused/);
  });

  it('keeps the cause, for the log', () => {
    const cause = new Error('fault');
    expect(new UpstreamError({ status: 0 }, { cause }).cause).toBe(cause);
  });
});
