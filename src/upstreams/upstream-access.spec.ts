import { describe, expect, it } from '@jest/globals';
import type { UpstreamSettings } from '../config/upstreams.settings.js';
import { UpstreamError } from './contract/upstream.error.js';
import { toCallerError } from './upstream-access.js';

const upstream = (apiKey: string | null, credential: UpstreamSettings['credential'] = null) =>
  ({ name: 'a', apiKey, credential }) as UpstreamSettings;

describe("the caller's error", () => {
  it("removes the gateway's credential in any form", () => {
    const cause = new Error('fault');
    const error = new UpstreamError(
      { status: 400, message: 'Key p@ss(word) is bad: p@ss(word).', param: 'a' },
      { cause },
    );
    const reported = toCallerError(error, upstream('p@ss(word)'));
    expect(reported.body).toMatchObject({
      message: 'Key [removed] is bad: [removed].',
      param: 'a',
      code: 'invalid_value',
    });
    expect(reported.cause).toBe(cause);
    expect(reported.failure).toMatchObject({ status: 400, param: 'a' });
  });

  it('removes a part of the credential at the end of a cut message', () => {
    const error = new UpstreamError({ status: 400, message: 'Key p@ss(wo' });
    expect(toCallerError(error, upstream('p@ss(word)')).body.message).toBe('Key [removed]');
  });

  it('removes the credential and other secrets from every text', () => {
    const aws = { secrets: ['AK1', 'se/cret', 'token'] };
    const error = new UpstreamError({
      status: 400,
      message: 'se/cret, se%2Fcret, token, AK1',
      param: `messages[0].token.sk-abcdef1234567890.${'x'.repeat(1000)}`,
      requestId: 'id-token-7',
    });
    const { body, failure } = toCallerError(error, upstream(null, aws));
    expect(body.message).toBe('[removed], [removed], [removed], [removed]');
    expect(body.param).toMatch(/^messages\[0\]\.\[removed\]\.\[removed\]/);
    expect(body.param?.length).toBeLessThanOrEqual(200);
    expect(failure.requestId).toBe('id-[removed]-7');
  });

  it.each([
    [500, 'false'],
    [503, 'false'],
    [504, 'false'],
    [0, 'false'],
    [429, undefined],
    [400, undefined],
  ])('says not to retry %i when the gateway has no attempts left', (status, advice) => {
    const error = new UpstreamError({ status, retryAfterMs: 2000 });
    expect(error.headers['x-should-retry']).toBeUndefined();
    expect(toCallerError(error, upstream(null), true).headers['x-should-retry']).toBe(advice);
  });

  it.each([
    ['has no credential to hide', upstream(null), 'Bad.'],
    ['does not repeat it', upstream('sk-1'), 'Bad.'],
    ['sent no message', upstream('sk-1'), undefined],
  ])('is unchanged if the upstream %s', (_what, settings, message) => {
    const error = new UpstreamError({ status: 400, message });
    expect(toCallerError(error, settings)).toBe(error);
  });
});
