import type { EntityManager } from 'typeorm';
import type { KeptSums } from '../rollups/usage-pieces.js';
import { slotOf } from '../rollups/usage-slots.js';

/** Later than every slot: there are no sums yet. */
const NONE = 2 ** 31 - 1;

export interface ReadState extends KeptSums {
  /** Events of the ledger before this transaction are rolled up. */
  rolledUpTo: string;
  now: Date;
}

export async function readState(manager: EntityManager): Promise<ReadState> {
  const [{ firstSlot, ...state }] = await manager.query(
    `SELECT rolled_up_to AS "rolledUpTo", hours_begin AS "hoursBegin", hours_kept_from AS "hoursKeptFrom",
       days_up_to AS "daysUpTo", now(), coalesce((SELECT min(slot) FROM usage_rollups_all_768), ${NONE}) AS "firstSlot"
     FROM usage_rollup_state`,
  );
  const isWhole = state.hoursKeptFrom <= state.hoursBegin;
  const ledgerFrom = isWhole ? 0 : await firstSlotOfLedger(manager);
  return { ...state, firstSlot, ledgerFrom };
}

async function firstSlotOfLedger(manager: EntityManager): Promise<number> {
  const [{ first }]: [{ first: Date | null }] = await manager.query(
    "SELECT min(started_at) AS first FROM usage_calls WHERE status <> 'open'",
  );
  return first === null ? 0 : slotOf(first);
}
