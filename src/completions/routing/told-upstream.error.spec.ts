import { describe, expect, it } from '@jest/globals';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import { UpstreamError } from '../upstream/upstream.error.js';
import { toldUpstreamError } from './told-upstream.error.js';

const upstream = (apiKey: string | null) => ({ name: 'a', apiKey }) as UpstreamSettings;

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

  it.each([
    ['has no credential to hide', upstream(null), 'Bad.'],
    ['does not repeat it', upstream('sk-1'), 'Bad.'],
    ['has no words', upstream('sk-1'), undefined],
  ])('is the same where the upstream %s', (_what, settings, message) => {
    const error = new UpstreamError({ status: 400, message });
    expect(toldUpstreamError(error, settings)).toBe(error);
  });
});
