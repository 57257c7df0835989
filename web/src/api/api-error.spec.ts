import { describe, expect, it } from '@jest/globals';
import { messageOf, toApiError } from './api-error';

describe('an error response', () => {
  it('has the gateway’s message', () => {
    const headers = { 'x-request-id': 'req_1', 'retry-after': '30' };
    const body = { error: { message: 'The name is taken.', code: 'name_taken', param: 'name' } };
    const error = toApiError(new Response(null, { status: 409, headers }), body);
    expect(error).toMatchObject({ status: 409, code: 'name_taken', param: 'name', requestId: 'req_1', retryAfter: 30 });
    expect(messageOf(error)).toBe('The name is taken.');
  });

  it.each([null, 'Bad Gateway', { error: 'no' }, { error: { message: '', code: 7 } }])(
    'has at least its status if something else wrote it: %p',
    (body) => {
      const error = toApiError(new Response(null, { status: 502 }), body);
      expect(error.message).toBe('The gateway answered with status 502.');
      expect([error.code, error.param, error.requestId, error.retryAfter]).toEqual([null, null, null, null]);
    },
  );
});

describe('the message of an error', () => {
  it('is that the gateway cannot be reached, if fetch failed', () => {
    expect(messageOf(new TypeError('Failed to fetch'))).toMatch(/cannot be reached/);
  });

  it('is never empty', () => {
    expect(messageOf(new Error(''))).toBe('Something went wrong.');
    expect(messageOf('?')).toBe('Something went wrong.');
  });

  it('distinguishes a bug of the page from a failed connection', () => {
    for (const message of ['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed']) {
      expect(messageOf(new TypeError(message))).toContain('cannot be reached');
    }
    expect(messageOf(new TypeError("Cannot read properties of undefined (reading 'length')"))).toContain('Reload');
  });
});
