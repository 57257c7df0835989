import { expect } from '@jest/globals';

/** The limit headers of a response. */
export const headersOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('x-ratelimit-')));

/** Expects a call to be refused by a limit; returns its error. */
export async function expectRefusal(response: Response, code: string, message: RegExp): Promise<{ type: string }> {
  const { error } = (await response.json()) as { error: { type: string; message: string } };
  expect([response.status, error]).toEqual([429, expect.objectContaining({ code, param: null })]);
  expect(error.message).toMatch(message);
  return error;
}
