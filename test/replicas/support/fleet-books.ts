import type { Fleet } from './fleet.js';

const NANO = 1e9;

/** A budget in the output of the command line. */
export async function budgetOf(fleet: Fleet, id: string) {
  const { stdout } = await fleet.cli('budget:list', '--json');
  const budgets = JSON.parse(stdout) as { id: string; amountUsd: number; spentUsd: number; reservedUsd: number }[];
  const budget = budgets.find((one) => one.id === id);
  if (!budget) throw new Error(`there is no budget of ${id}`);
  return budget;
}

/** The ledger's charges of a key, in US dollars. */
export async function chargedTo(fleet: Fleet, keyId: string): Promise<number> {
  const rows = await fleet.query<{ sum: string }>(
    'SELECT coalesce(sum(cost_nanodollars), 0) AS sum FROM usage_calls WHERE key_id = $1',
    [keyId],
  );
  return Number(rows[0]?.sum) / NANO;
}

/** The tokens of a key's calls that the ledger has as reported by the upstream. */
export async function tokensOf(fleet: Fleet, keyId: string) {
  const [row] = await fleet.query<{ input: number; output: number }>(
    `SELECT coalesce(sum(input_tokens), 0)::int AS input, coalesce(sum(output_tokens), 0)::int AS output
     FROM usage_calls WHERE key_id = $1 AND token_source = 'reported'`,
    [keyId],
  );
  return row;
}
