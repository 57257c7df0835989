import type { LimitValues } from '../../limits/values/limit.types.js';

/** What is counted together. */
export type BalanceKind = 'user' | 'key';

/** A balance that a call counts in, with the limits that hold for it now. */
export interface AskedBalance {
  readonly id: string;
  readonly kind: BalanceKind;
  readonly values: LimitValues;
}

/** What a call may cost, where a budget holds. Prices are nano-dollars per million. */
export interface AskedMoney {
  /** Nano-dollars: the whole prompt and an answer of `ceiling` tokens. */
  readonly full: bigint;
  /** Of the whole prompt. */
  readonly promptPrice: bigint;
  /** Of a token of all choices. */
  readonly tokenPrice: bigint;
  /** Tokens of a choice: the smaller one of the caller's and the model's. */
  readonly ceiling: number;
  /** The caller set one. */
  readonly isOwnCeiling: boolean;
}

/** What a limited call asks for. */
export interface AdmissionAsk {
  /** Each once. */
  readonly balances: readonly AskedBalance[];
  /** Of its prompt, estimated. */
  readonly tokens: number;
  /** Null: no budget holds. */
  readonly money: AskedMoney | null;
  /** Noted by the ledger while the call's row is open; without it the row is closed with more care, and more work. */
  grant?: Grant | null;
}

/** What the row of an admitted call holds. */
export interface Grant {
  /** Nano-dollars; null where no budget holds. */
  readonly reserved: bigint | null;
  /** Of the admission, in UTC: `2026-11-22`. */
  readonly day: string;
}

/** How a balance stood when a call was decided, without that call; null where nothing is limited. */
export interface BalanceState {
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly places: number | null;
  /** Nano-dollars that are neither spent nor reserved, by `BUDGET_PERIODS`. */
  readonly money: readonly (number | null)[];
  /** Nano-dollars that are not spent. */
  readonly unspent: readonly (number | null)[];
}

export const BUDGET_PERIODS = ['day', 'month', 'total'] as const;

/** Of a balance's `base_wanted`: what was spent before its budget is still to be computed. The higher bits count the marks. */
export const BASE_BITS = { day: 1, month: 1, total: 2 } as const;

/** The decision about a limited call. */
export interface Admission {
  readonly isAdmitted: boolean;
  /** Nano-dollars; null where no budget holds. */
  readonly reserved: bigint | null;
  /** Tokens of a choice, where the budget leaves fewer than the call could have had. */
  readonly outputCeiling: number | null;
  /** In the order in which they were asked for. */
  readonly balances: readonly BalanceState[];
}
