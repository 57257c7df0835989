import { describe, expect, it } from '@jest/globals';
import { allOf } from '../../test/support/all-of.js';
import { Random } from '../../test/support/random.js';
import { createMigratedDatabase } from '../../test/support/test-database.js';
import { startServices } from '../../test/support/test-services.js';
import { UsageError } from '../common/usage.error.js';
import { cursorOfPlace } from '../database/lists.js';
import { UsageRollupsService } from '../usage/rollups/usage-rollups.service.js';
import { UsageModule } from '../usage/usage.module.js';
import { AuthModule } from './auth.module.js';
import {
  KEY_SORTS,
  KEY_STATUS_FILTERS,
  type KeyFilter,
  KeyListService,
  type KeyOrder,
  type KeySort,
  type KeyStatusFilter,
} from './key-list.service.js';

interface Row {
  id: string;
  name: string;
  display: string;
  note: string;
  email: string;
  owner_disabled: boolean;
  models: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  disabled_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  spent: string;
}

const WEEK_MS = 7 * 86_400_000;
const EVERY: KeyFilter = {
  ownerId: null,
  projectId: null,
  memberId: null,
  ids: null,
  name: null,
  status: 'all',
  text: '',
};

const database = await createMigratedDatabase();
const services = await startServices(database.url, AuthModule, UsageModule);
const lists = services.get(KeyListService);
await database.query(
  `INSERT INTO users (email, disabled_at) SELECT 'user-' || n || '@example.com', CASE n WHEN 3 THEN now() END
   FROM generate_series(1, 3) AS n`,
);
// Many keys have equal values, so that pages end within a value.
await database.query(
  `INSERT INTO api_keys (user_id, name, note, display, key_hash, models, created_at, expires_at, disabled_at, revoked_at,
     last_used_at)
   SELECT u.id, (ARRAY['alpha','Beta','gamma 100%','ÄRGER'])[1 + n % 4], (ARRAY['','for_the train'])[1 + n % 2],
     'svc_' || n % 7 || '…', sha256(n::text::bytea), CASE WHEN n % 3 = 0 THEN '{a}'::text[] END,
     now() - n % 5 * interval '1 microsecond', (ARRAY[NULL, now() - interval '1 day', now() + interval '2 days',
     now() + interval '90 days'])[1 + n % 4], CASE WHEN n % 6 = 0 THEN now() END, CASE WHEN n % 8 = 0 THEN now() END,
     CASE WHEN n % 3 > 0 THEN now() - n % 9 * interval '1 microsecond' END
   FROM generate_series(1, 70) AS n JOIN users AS u ON u.email = 'user-' || 1 + n % 3 || '@example.com'`,
);
await database.query(
  `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
     price_version, cost_nanodollars)
   SELECT 'chatcmpl-' || id, now(), 1, 'r', id, user_id, 'free', 'm', false, 'settled', 'v', hashtext(display) & 3
   FROM api_keys`,
);
// One part is rolled up, the other is not.
await services.get(UsageRollupsService).rollUp();
await database.query(
  `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
     price_version, cost_nanodollars)
   SELECT 'chatcmpl-2-' || id, now(), 1, 'r', id, user_id, 'free', 'm', false, 'settled', 'v', 2
   FROM api_keys WHERE models IS NULL`,
);
const rows: Row[] = await database.query<Row & Record<string, unknown>>(
  `SELECT k.*, u.email, u.disabled_at IS NOT NULL AS owner_disabled,
     (hashtext(display) & 3) + CASE WHEN k.models IS NULL THEN 2 ELSE 0 END AS spent
   FROM api_keys AS k JOIN users AS u ON u.id = user_id`,
);

/** Keys that need attention come first. */
const STATES = ['expiring', 'expired', 'owner-disabled', 'disabled', 'active', 'revoked'];

function stateOf(row: Row): string {
  if (row.revoked_at) return 'revoked';
  if (row.disabled_at) return 'disabled';
  const left = row.expires_at === null ? Number.POSITIVE_INFINITY : row.expires_at.getTime() - Date.now();
  if (left <= 0) return 'expired';
  if (row.owner_disabled) return 'owner-disabled';
  return left < WEEK_MS ? 'expiring' : 'active';
}

const PASSING: Record<KeyStatusFilter, readonly string[]> = {
  all: STATES,
  current: STATES.filter((state) => state !== 'revoked'),
  active: ['active', 'expiring'],
  expiring: ['expiring'],
  expired: ['expired'],
  disabled: ['disabled', 'owner-disabled'],
  revoked: ['revoked'],
};

const VALUES: Record<KeySort, (row: Row) => string | number | null> = {
  name: ({ name }) => name.toLowerCase(),
  key: ({ display }) => display,
  owner: ({ email }) => email,
  status: (row) => STATES.indexOf(stateOf(row)),
  models: ({ models }) => models?.length ?? 1e6,
  spent: ({ spent }) => Number(spent),
  used: ({ last_used_at: at }) => at?.getTime() ?? null,
  created: ({ created_at: at }) => at.getTime(),
  expires: ({ expires_at: at }) => at?.getTime() ?? null,
};

async function readAll(filter: KeyFilter, order: KeyOrder, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await lists.page(filter, order, cursor, limit);
    ids.push(...page.map(({ key }) => key.id));
    const last = page.at(-1);
    if (!last || page.length < limit) return ids;
    cursor = cursorOfPlace(last.place);
  }
}

describe('the list of keys', () => {
  it.each(KEY_STATUS_FILTERS)('filters keys that are %s, and counts them', async (status) => {
    const expected = rows.filter((row) => PASSING[status].includes(stateOf(row))).map(({ id }) => id);
    const found = await readAll({ ...EVERY, status }, { sort: 'created', descending: false }, 7);
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(expected.length).toBeGreaterThan(0);
    expect(await lists.count({ ...EVERY, status })).toEqual({ count: expected.length, isExact: true });
  });

  it.each([
    ['BETA', 'beta'],
    ['ärger', 'ärger'],
    ['user-2@ alpha', 'alpha', 'user-2@'],
    ['100%', '100%'],
    ['for_the', 'for_the'],
    ['svc_3…', 'svc_3…'],
    ['%_%_%_%', '%_%_%_%'],
    ['no such key', 'no such key'],
  ])('finds keys that contain every word of "%s"', async (text, ...words) => {
    const expected = rows.filter(({ name, note, display, email }) =>
      words.every((word) => `${name} ${display} ${note} ${email}`.toLowerCase().includes(word)),
    );
    const found = await readAll({ ...EVERY, text }, { sort: 'name', descending: false }, 50);
    expect(found.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  });

  it.each(KEY_SORTS.flatMap((sort) => [true, false].map((descending) => ({ sort, descending }))))(
    'has the same order for any page size: %p',
    async ({ sort, descending }) => {
      const order = { sort, descending };
      const whole = await readAll(EVERY, order, 200);
      expect(whole.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
      const byId = new Map(rows.map((row) => [row.id, row]));
      const values = whole.map((id) => VALUES[sort](byId.get(id) as Row));
      expect(values).toEqual(sortedBy(values, descending));
      const random = new Random(7);
      for (let i = 0; i < 3; i++) expect(await readAll(EVERY, order, 1 + random.below(9))).toEqual(whole);
    },
  );

  it('rejects an invalid cursor', async () => {
    const place = (text: string) => Buffer.from(text).toString('base64url');
    const id = rows[0]?.id ?? '';
    for (const cursor of ['', 'x', place('x'), place(id), place(`${id}|x`), place(`${id}|2026-02-30 10:00:00+00`)]) {
      await expect(lists.page(EVERY, { sort: 'created', descending: true }, cursor, 5)).rejects.toThrow(UsageError);
    }
  });

  it('returns any number of keys in batches, oldest first', async () => {
    await database.query(
      `INSERT INTO api_keys (user_id, name, display, key_hash, created_at)
       SELECT (SELECT min(id::text)::uuid FROM users), 'many', 'svc_', sha256(('many' || n)::bytea), now() + n * interval '1 ms'
       FROM generate_series(1, 2500) AS n`,
    );
    const sizes: number[] = [];
    for await (const batch of lists.batches()) sizes.push(batch.length);
    expect(sizes).toEqual([1000, 1000, 570]);
    const all = await allOf(lists.batches());
    expect(new Set(all.map(({ key }) => key.id)).size).toBe(2570);
    const times = all.map(({ key }) => key.createdAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(await lists.count(EVERY)).toEqual({ count: 2570, isExact: true });
  });
});

function sortedBy(values: readonly (string | number | null)[], descending: boolean) {
  const [some, none] = [values.filter((value) => value !== null), values.filter((value) => value === null)];
  const ascending = some.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return [...(descending ? ascending.reverse() : ascending), ...none];
}
