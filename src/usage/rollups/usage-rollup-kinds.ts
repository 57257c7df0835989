export const SHARED_KINDS = ['all', 'model'] as const;

/** Kinds that separate keys, for the time before `hours_begin`; later sums are in `usage_hours` and the days. */
export const OLD_KINDS = ['key', 'call', 'failure'] as const;

/** Fewest groups first. */
const KINDS = [...SHARED_KINDS, ...OLD_KINDS];

export type RollupKind = (typeof KINDS)[number];

/** The columns that each kind groups by. `failure` has only unsettled calls; settled ones are the difference. */
export const ROLLUP_DIMENSIONS: Record<RollupKind, readonly string[]> = {
  all: ['status'],
  model: ['model', 'upstream', 'status', 'api'],
  key: ['user_id', 'key_id'],
  call: ['user_id', 'key_id', 'model', 'upstream', 'api'],
  failure: ['user_id', 'key_id', 'model', 'upstream', 'status', 'api'],
};

export const COUNTS = [
  'calls',
  'errors',
  'aborted',
  'simulated',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_nanodollars',
] as const;

export const HISTOGRAMS = ['total_ms', 'first_token_ms'] as const;

export function rollupTable(kind: RollupKind): string {
  return `usage_rollups_${kind}`;
}

export function isShared(kind: RollupKind): boolean {
  return SHARED_KINDS.some((shared) => shared === kind);
}

/** The kind with the fewest groups that includes these columns, or `failure` if none covers all calls. */
export function kindFor(columns: readonly string[]): RollupKind {
  return KINDS.find((kind) => columns.every((column) => ROLLUP_DIMENSIONS[kind].includes(column))) ?? 'failure';
}
