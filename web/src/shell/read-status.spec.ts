import { afterEach, describe, expect, it } from '@jest/globals';
import { readStatus } from './read-status';

const realFetch = globalThis.fetch;
const status = (answer: () => Promise<Response>) => {
  globalThis.fetch = answer;
  return readStatus({ signal: new AbortController().signal });
};

describe('the status of the gateway', () => {
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  it('is empty while it is ready', async () => {
    expect(await status(async () => Response.json({ status: 'ok' }))).toBeNull();
  });

  it('is its warning, or why it is not ready', async () => {
    expect(await status(async () => Response.json({ status: 'ok', warning: 'Slow.' }))).toEqual({
      isDown: false,
      text: 'Slow.',
    });
    const refused = () => Response.json({ error: { message: 'No database.' } }, { status: 503 });
    expect(await status(async () => refused())).toEqual({
      isDown: true,
      text: 'No database. This page will recover.',
    });
  });

  it('is that it cannot be reached, or that something else answers in its place', async () => {
    expect(await status(() => Promise.reject(new TypeError('failed')))).toMatchObject({
      isDown: true,
      text: expect.stringContaining('cannot be reached'),
    });
    expect(await status(async () => new Response('<html>', { status: 502 }))).toMatchObject({
      isDown: true,
      text: expect.stringContaining('not ready'),
    });
  });
});
