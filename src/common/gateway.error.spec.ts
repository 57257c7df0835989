import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase } from '../../test/support/test-database.js';
import { isDatabaseUnavailable } from './gateway.error.js';

async function failureOf(url: string, sql = 'SELECT 1'): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
    return null;
  } catch (error) {
    return error;
  } finally {
    await client.end();
  }
}

describe('isDatabaseUnavailable', () => {
  it('is true when nothing listens at a port or socket', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise((resolve) => server.close(resolve));
    expect(isDatabaseUnavailable(await failureOf(`postgres://x:y@127.0.0.1:${port}/z`))).toBe(true);
    const folder = encodeURIComponent(join(import.meta.dirname, 'no-such-folder'));
    expect(isDatabaseUnavailable(await failureOf(`postgres://x:y@localhost/z?host=${folder}`))).toBe(true);
  });

  it('is true when Postgres ends the connection, and false when it rejects a query', async () => {
    const database = await createTestDatabase();
    expect(isDatabaseUnavailable(await failureOf(database.url, 'SELECT pg_terminate_backend(pg_backend_pid())'))).toBe(
      true,
    );
    for (const wrong of ['SELECT 1 / 0', 'SELECT nothing', "SELECT '{'::jsonb"]) {
      expect(isDatabaseUnavailable(await failureOf(database.url, wrong))).toBe(false);
    }
  });

  it('is false for other errors', async () => {
    const noFile = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' });
    for (const fault of [noFile, new Error('Connection'), new TypeError('x'), 'ECONNREFUSED', null, undefined]) {
      expect(isDatabaseUnavailable(fault)).toBe(false);
    }
  });
});
