import { describe, expect, it } from '@jest/globals';
import { LedgerSchema } from './usage-statements.js';

describe('LedgerSchema', () => {
  const at = (...dates: string[]) => dates.map((date) => ({ startedAt: new Date(date) }));

  async function schemaWith(...partitions: string[]): Promise<LedgerSchema> {
    const schema = new LedgerSchema();
    const query = async () => ({ rows: [{ opening: 1, closing: 2, partitions }] });
    await schema.read({ query } as never);
    return schema;
  }

  it('names the partition of a month in UTC, up to its last millisecond', async () => {
    const schema = await schemaWith('usage_calls_2026_11', 'usage_calls_2026_12');
    expect(schema.tableOf(at('2026-11-01T00:00:00.000Z', '2026-11-30T23:59:59.999Z'))).toBe('usage_calls_2026_11');
    expect(schema.tableOf(at('2026-12-01T00:00:00.000Z'))).toBe('usage_calls_2026_12');
  });

  it('names the whole ledger for calls of two months, for a month without a partition, and for no calls', async () => {
    const schema = await schemaWith('usage_calls_2026_11', 'usage_calls_2026_12');
    expect(schema.tableOf(at('2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'))).toBe('usage_calls');
    expect(schema.tableOf(at('2027-01-01T00:00:00.000Z'))).toBe('usage_calls');
    expect(schema.tableOf([])).toBe('usage_calls');
  });
});
