import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../../test/support/released-schema.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { MIGRATIONS } from './migrations.js';

const ADMIN = '00000000-0000-4000-8000-000000000001';
const OWNER = '00000000-0000-4000-8000-000000000002';

describe('an installation from before set-up closed permanently', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrate(
      database.url,
      MIGRATIONS.slice(
        0,
        MIGRATIONS.findIndex(({ name }) => name.startsWith('SetupOnce')),
      ),
    );
    await database.query(
      `INSERT INTO users (id, email, role, disabled_at) VALUES ($1, 'ada@example.com', 'admin', now()), ($2, 'émile@example.com', 'member', NULL)`,
      [ADMIN, OWNER],
    );
    for (const [name, actor] of [
      ['by the owner', OWNER],
      ['by an administrator', ADMIN],
      ['by nobody knows whom', null],
    ]) {
      const [{ id } = { id: '' }] = await database.query(
        `INSERT INTO api_keys (user_id, name, key_hash, display, disabled_at) VALUES ($1, $2::text, sha256(convert_to($2::text, 'UTF8')), 'svc_', now())
         RETURNING id`,
        [OWNER, name],
      );
      if (actor === null) continue;
      await database.query(
        `INSERT INTO audit_log (actor_kind, actor_id, actor_name, action, target_kind, target_id)
         VALUES ('user', $1, 'x', 'key.disable', 'key', $2)`,
        [actor, id],
      );
    }
    await migrate(database.url, MIGRATIONS);
  });
  afterAll(() => database?.drop());

  it('is set up if it ever had an administrator', async () => {
    expect(await database.query('SELECT done_at IS NOT NULL AS is_done, token_hash FROM setup')).toEqual([
      { is_done: true, token_hash: null },
    ]);
  });

  it('has the user who disabled a key, if the audit log does', async () => {
    const keys = await database.query('SELECT name, disabled_by FROM api_keys ORDER BY name');
    expect(keys).toEqual([
      { name: 'by an administrator', disabled_by: ADMIN },
      { name: 'by nobody knows whom', disabled_by: null },
      { name: 'by the owner', disabled_by: OWNER },
    ]);
  });

  it('has its audit log chained', async () => {
    expect(await database.query('SELECT count(*)::int AS links FROM audit_chain')).toEqual([{ links: 2 }]);
  });
});
