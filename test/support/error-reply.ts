import { expect } from '@jest/globals';
import type { RawReply } from './raw-http.js';

export interface ExpectedError {
  status: number;
  code: string;
  type?: string;
  param?: string | null;
}

/** The checked body and headers of an error: exactly the four keys, an id, and no caching. */
export interface ErrorReply {
  message: string;
  headers: Headers;
}

/** Checks an error against the documented table; `type` is invalid_request_error by default. */
export async function expectError(reply: Response | RawReply, expected: ExpectedError): Promise<ErrorReply> {
  const { status, code, type = 'invalid_request_error', param = null } = expected;
  const text = typeof reply.body === 'string' ? reply.body : await (reply as Response).text();
  expect({ status: reply.status, text }).toMatchObject({ status });
  const { error, ...others } = JSON.parse(text);
  expect(others).toEqual({});
  expect(error).toEqual({ message: expect.stringMatching(/^\S.{5,300}$/), type, param, code });
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
  });
  return { message: error.message, headers: reply.headers };
}
