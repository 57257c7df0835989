import type { Fleet } from '../../replicas/support/fleet.js';
import { eventually } from '../../support/eventually.js';

/**
 * The calls of a key that the ledger has lost, after all have ended. `answered`: the number of calls with a complete
 * answer.
 */
export async function lostInBooks(fleet: Fleet, keyId: string, answered: number): Promise<string[]> {
  await eventually(async () => (await countOf(fleet, "status = 'open'")) === 0, 60_000);
  const settled = await countOf(fleet, `status = 'settled' AND key_id = '${keyId}'`);
  const [doubled] = await fleet.query('SELECT request_id FROM usage_calls GROUP BY 1 HAVING count(*) > 1 LIMIT 1');
  const [reserved] = await fleet.query(
    'SELECT id FROM limit_balances WHERE running <> 0 OR reserved_total <> 0 LIMIT 1',
  );
  const { faults } = await fleet.ledgerFaults();
  return [
    ...(settled < answered ? [`${answered - settled} answered calls without a settled row`] : []),
    ...(doubled ? ['a call with two rows'] : []),
    ...(reserved ? ['a place or money that nobody holds is not free'] : []),
    ...faults.map((fault) => JSON.stringify(fault)),
  ];
}

async function countOf(fleet: Fleet, condition: string): Promise<number> {
  const [row] = await fleet.query<{ calls: number }>(
    `SELECT count(*)::int AS calls FROM usage_calls WHERE ${condition}`,
  );
  return row?.calls ?? 0;
}
