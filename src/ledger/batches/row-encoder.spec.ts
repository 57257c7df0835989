import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { ROW_TYPES } from '../rows/usage-rows.js';
import { RowEncoder } from './row-encoder.js';

describe('RowEncoder', () => {
  let database: TestDatabase;
  let types = 0;

  beforeAll(async () => {
    database = await createMigratedDatabase();
  });

  /** The values that Postgres reads from rows with one field, as text. */
  async function read<Value>(
    type: string,
    values: readonly Value[],
    write: (to: RowEncoder, value: Value) => void,
    encoder = new RowEncoder(),
  ): Promise<(string | null)[]> {
    const name = `written_${types++}`;
    await database.query(`CREATE TYPE ${name} AS (value ${type})`);
    const [{ id } = { id: 0 }] = await database.query<{ id: number }>(`SELECT '${name}'::regtype::oid AS id`);
    encoder.begin(id, values.length);
    for (const value of values) {
      const row = encoder.beginRow(1);
      write(encoder, value);
      encoder.endRow(row);
    }
    const rows = await database.query<{ value: string | null }>(
      `SELECT value::text FROM unnest($1::${name}[]) WITH ORDINALITY AS row (value, place) ORDER BY place`,
      [encoder.finish()],
    );
    return rows.map(({ value }) => value);
  }

  const textOf = (value: unknown) => (value === null ? null : String(value));

  it('writes texts of any length and script, and nulls', async () => {
    const texts = ['', 'a', null, 'ä€😀', 'x'.repeat(100_000), '{"a",NULL}', 'NULL'];
    expect(await read('text', texts, (to, text) => to.text(text))).toEqual(texts);
  });

  it('writes whole numbers up to the largest', async () => {
    const numbers = [0, 1, -1, 2 ** 31, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null];
    const bigints = [...numbers, 0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)];
    expect(await read('bigint', bigints, (to, value) => to.bigint(value))).toEqual(bigints.map(textOf));
    const ints = [0, 2 ** 31 - 1, -(2 ** 31), null];
    expect(await read('int', ints, (to, value) => to.int(value))).toEqual(ints.map(textOf));
  });

  it('writes whole numbers of any size and lists of them', async () => {
    const numbers = [0n, 7n, 9999n, 10_000n, 10_001n, 123_456_789n, 10n ** 20n, 98_765_432_109_876_543_210n, null];
    expect(await read('numeric', numbers, (to, value) => to.numeric(value))).toEqual(numbers.map(textOf));
    const lists = [[], [1], [3, 1, 2]];
    expect(await read('int[]', lists, (to, list) => to.ints(list))).toEqual(['{}', '{1}', '{3,1,2}']);
  });

  it('lets Postgres reject a number that is too large', async () => {
    const reading = read('bigint', [1n, 2n ** 63n], (to, value) => to.bigint(value));
    await expect(reading).rejects.toMatchObject({ code: '22P03' });
  });

  it('writes timestamps, ids, booleans and JSON', async () => {
    const instants = [new Date('2026-11-22T13:14:15.678Z'), new Date('1999-12-31T23:59:59.999Z')];
    const times = await read('timestamptz', instants, (to, instant) => to.timestamptz(instant));
    expect(times.map((time) => new Date(String(time)))).toEqual(instants);
    const ids = [randomUUID(), '00000000-0000-4000-8000-ABCDEFabcdef'];
    expect(await read('uuid', ids, (to, id) => to.uuid(id))).toEqual(ids.map((id) => id.toLowerCase()));
    const lists = [ids.slice(0, 1), null, [ids[0] ?? '', randomUUID()]];
    expect(await read('uuid[]', lists, (to, list) => to.uuids(list))).toEqual(
      lists.map((list) => list && `{${list.join(',')}}`),
    );
    expect(await read('boolean', [true, false], (to, value) => to.boolean(value))).toEqual(['true', 'false']);
    expect(await read('jsonb', [[{ a: 'ä' }], []], (to, value) => to.jsonb(value))).toEqual(['[{"a": "ä"}]', '[]']);
  });

  it('discards what was written before', async () => {
    const encoder = new RowEncoder();
    expect(await read('text', ['x'.repeat(60_000)], (to, text) => to.text(text), encoder)).toHaveLength(1);
    expect(await read('text', ['short'], (to, text) => to.text(text), encoder)).toEqual(['short']);
    expect(await read('text', [], (to, text) => to.text(text), encoder)).toEqual([]);
  });

  it.each(Object.entries(ROW_TYPES))('%s has its columns in the database', async (type, columns) => {
    const attributes = await database.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute JOIN pg_type ON attrelid = typrelid
       WHERE typname = $1 AND attnum > 0 ORDER BY attnum`,
      [type],
    );
    expect(attributes.map(({ name }) => name)).toEqual(columns);
  });
});
