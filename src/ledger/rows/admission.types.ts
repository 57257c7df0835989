import type { LimitValues } from '../../limits/values/limit.types.js';

/** Whose calls count together. */
export type BalanceKind = 'user' | 'key' | 'project';

export interface LimitedBalance {
  readonly id: string;
  readonly kind: BalanceKind;
  readonly values: LimitValues;
}

/** The cost of a call under a budget. Prices are nano-dollars per million. */
export interface WorstCaseCost {
  /** Nano-dollars for the whole prompt and an answer of `ceiling` tokens. */
  readonly full: bigint;
  readonly promptPrice: bigint;
  /** Per token of each choice, for all choices. */
  readonly tokenPrice: bigint;
  /** Tokens per choice: the smaller of the caller's and the model's limits. */
  readonly ceiling: number;
  readonly isOwnCeiling: boolean;
}

export interface AdmissionRequest {
  readonly balances: readonly LimitedBalance[];
  /** Estimated tokens of the prompt. */
  readonly tokens: number;
  readonly money: WorstCaseCost | null;
  /** Set while the call's row is open. Closing a row without it is slower. */
  grant?: Grant | null;
}

export interface Grant {
  readonly reserved: bigint | null;
  /** The day of the admission in UTC: `2026-11-22`. */
  readonly day: string;
}

/** A balance at an admission, before the call; null fields are unlimited. */
export interface BalanceState {
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly slots: number | null;
  /** Nano-dollars neither spent nor reserved, by `BUDGET_PERIODS`. */
  readonly money: readonly (number | null)[];
  /** Nano-dollars not spent. */
  readonly unspent: readonly (number | null)[];
}

export const BUDGET_PERIODS = ['day', 'month', 'total'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Bits of a balance's `base_wanted`, set while earlier spending must still be added up. Higher bits count marks. */
export const BASE_BITS = { day: 1, month: 1, total: 2 } as const;

export interface Admission {
  readonly isAdmitted: boolean;
  /** Nano-dollars; null: no budget applies. */
  readonly reserved: bigint | null;
  /** Tokens per choice, when the budget allows fewer than the call asked for. */
  readonly outputCeiling: number | null;
  readonly balances: readonly BalanceState[];
}
