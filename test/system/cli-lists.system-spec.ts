import { describe, expect, it } from '@jest/globals';
import { runCli } from '../support/gateway-process.js';
import { createMigratedDatabase } from '../support/test-database.js';
import { createWorkFolder } from '../support/test-settings.js';

describe('a list of any length', () => {
  const MANY = 40_000;

  it('is printed completely, using little memory', async () => {
    const folder = await createWorkFolder();
    const many = await createMigratedDatabase();
    const variables = { ...folder.variables, DATABASE_URL: many.url, NODE_OPTIONS: '--max-old-space-size=100' };
    const print = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCli(args, folder.path, variables);
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
      return stdout;
    };
    await print('user:create', '--email', 'owner@example.com');
    await many.query(
      `INSERT INTO api_keys (user_id, name, note, display, key_hash, created_at)
       SELECT id, 'key ' || n, repeat('x', 500), 'svc_ab12…9xYz', sha256(n::text::bytea), now() + n * interval '1 second'
       FROM users, generate_series(1, $1) AS n`,
      [MANY],
    );
    await many.query(
      `INSERT INTO users (email, name, created_at)
       SELECT 'user-' || n || '@example.com', repeat('x', 100), now() + n * interval '1 second'
       FROM generate_series(1, $1) AS n`,
      [MANY],
    );
    const keys: { name: string }[] = JSON.parse(await print('key:list', '--json'));
    expect(keys.map(({ name }) => name)).toEqual(Array.from({ length: MANY }, (_, i) => `key ${i + 1}`));
    const lines = (await print('user:list')).trimEnd().split('\n');
    expect(lines).toHaveLength(MANY + 2);
    expect(lines[MANY + 1]).toMatch(new RegExp(`user-${MANY}@example.com +member`));
    await many.drop();
    await folder.remove();
  }, 120_000);
});
