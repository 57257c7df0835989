import { beforeAll, describe, expect, it } from '@jest/globals';
import { createMigratedDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { startServices } from '../../../test/support/test-services.js';
import { UsageModule } from '../usage.module.js';
import { UsageHistogram } from './usage-tally.js';

describe('histograms of durations', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createMigratedDatabase();
    await (await startServices(database.url, UsageModule)).close();
  });

  async function histogram(sql: string, values: unknown[] = []): Promise<UsageHistogram> {
    const [row] = await database.query<{ histogram: Buffer }>(`SELECT ${sql} AS histogram`, values);
    const read = new UsageHistogram();
    if (row) read.add(row.histogram, 1);
    return read;
  }

  it('store durations within 5 %, from zero to days', async () => {
    const durations = [0, 1, 2, 3, 5, 7, 10, 13, 99, 100, 101, 333, 1000, 4711, 60_000, 599_999, 3_600_000, 86_400_000];
    for (const ms of durations) {
      const found = (await histogram('usage_histogram($1)', [ms])).percentiles([0.5])[0] ?? Number.NaN;
      expect(Math.abs(found - ms)).toBeLessThanOrEqual(ms * 0.05 + 0.05);
    }
  });

  it('do not change when compacted', async () => {
    const all = `(SELECT string_agg(usage_histogram((n * n) % 9973), '') FROM generate_series(1, 2000) AS n)`;
    const [lengths] = await database.query(`SELECT length(${all}) AS long, length(usage_merged(${all})) AS short`);
    expect(lengths?.long).toBe(8000);
    expect(lengths?.short).toBeLessThan(400);
    const [long, short] = [await histogram(all), await histogram(`usage_merged(${all})`)];
    for (const share of [0.01, 0.25, 0.5, 0.95, 1])
      expect(short.percentiles([share])[0]).toBe(long.percentiles([share])[0]);
    expect(await histogram(`usage_merged('')`)).toEqual(new UsageHistogram());
  });

  it('count beyond the size of one entry', async () => {
    const twice = await histogram(`usage_merged('\\x05ffffff05ffffff05000002'::bytea || '\\x09ffffff'::bytea)`);
    expect(twice.percentiles([0.6])[0]).toBe((await histogram(`'\\x05000001'::bytea`)).percentiles([1])[0]);
    expect(twice.percentiles([0.7])[0]).toBe((await histogram(`'\\x09000001'::bytea`)).percentiles([1])[0]);
  });

  it('have no percentiles when empty', () => {
    const histogramOfNone = new UsageHistogram();
    expect(histogramOfNone.percentiles([0.5])[0]).toBeNull();
    const taken = new UsageHistogram();
    taken.add(Buffer.from([7, 0, 0, 3]), 1);
    histogramOfNone.merge(taken, 1);
    histogramOfNone.merge(taken, -1);
    expect(histogramOfNone.percentiles([0.95])[0]).toBeNull();
  });
});
