import { describe, expect, it } from '@jest/globals';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { toldUpstreamError } from './told-upstream.error.js';

const upstream = (apiKey: string | null, credential: UpstreamSettings['credential'] = null) =>
  ({ name: 'a', apiKey, credential }) as UpstreamSettings;

describe('the error that a caller is told', () => {
  it('does not hold the credential of the gateway, whatever that looks like', () => {
    const cause = new Error('fault');
    const error = new UpstreamError(
      { status: 400, message: 'Key p@ss(word) is bad: p@ss(word).', param: 'a' },
      { cause },
    );
    const told = toldUpstreamError(error, upstream('p@ss(word)'));
    expect(told.body).toMatchObject({ message: 'Key [removed] is bad: [removed].', param: 'a', code: 'invalid_value' });
    expect(told.cause).toBe(cause);
    expect(told.failure).toMatchObject({ status: 400, param: 'a' });
  });

  it('holds no part of it where the words were cut', () => {
    const error = new UpstreamError({ status: 400, message: 'Key p@ss(wo' });
    expect(toldUpstreamError(error, upstream('p@ss(word)')).body.message).toBe('Key [removed]');
  });

  it('holds neither it nor what looks like another secret in any text', () => {
    const aws = { secrets: ['AK1', 'se/cret', 'token'] };
    const error = new UpstreamError({
      status: 400,
      message: 'se/cret, se%2Fcret, token, AK1',
      param: `messages[0].token.sk-abcdef1234567890.${'x'.repeat(1000)}`,
      requestId: 'id-token-7',
    });
    const { body, failure } = toldUpstreamError(error, upstream(null, aws));
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
  ])('says not to retry %i when the gateway has no attempt left', (status, advice) => {
    const error = new UpstreamError({ status, retryAfterMs: 2000 });
    expect(error.headers['x-should-retry']).toBeUndefined();
    expect(toldUpstreamError(error, upstream(null), true).headers['x-should-retry']).toBe(advice);
  });

  it.each([
    ['has no credential to hide', upstream(null), 'Bad.'],
    ['does not repeat it', upstream('sk-1'), 'Bad.'],
    ['has no words', upstream('sk-1'), undefined],
  ])('is the same where the upstream %s', (_what, settings, message) => {
    const error = new UpstreamError({ status: 400, message });
    expect(toldUpstreamError(error, settings)).toBe(error);
  });
});
