/** What the metrics take of a call whose row in the ledger is being closed. */
export interface EndedCall {
  /** The public id of a model of the catalog. */
  readonly model: string;
  readonly upstream: string | null;
  readonly status: 'settled' | 'failed' | 'aborted';
  readonly stream: boolean;
  readonly simulated: boolean;
  readonly tokens: {
    readonly input: number;
    readonly cached: number;
    readonly output: number;
    readonly reasoning: number;
  };
  readonly costNanodollars: bigint;
  readonly attempts: readonly {
    readonly upstream: string;
    readonly outcome: string;
    /** What the upstream may bill for an attempt that nobody is charged for. */
    readonly estimatedCostNanodollars?: number;
  }[];
  /** `uncharged`: nano-dollars of its cost that its caller is not charged. */
  readonly charge: { readonly uncharged?: number } | null;
  readonly firstTokenMs: number | null;
  readonly totalMs: number;
}

/** The upstream as a label. */
export function askedUpstream({ upstream, simulated }: EndedCall): string {
  return upstream ?? (simulated ? 'simulator' : 'none');
}

/** Why a cost is charged to nobody: another attempt answered first, the attempt failed, or it is more than was reserved for a call that its caller left. */
export type UnchargedReason = 'outrun' | 'failed' | 'left';

/** What upstreams may bill for a call and its caller is not charged, by an estimate. */
export function eachUncharged(
  call: EndedCall,
  add: (call: EndedCall, reason: UnchargedReason, nanodollars: number) => void,
): void {
  for (const { outcome, estimatedCostNanodollars: cost } of call.attempts) {
    if (cost) add(call, outcome === 'outrun' ? 'outrun' : 'failed', cost);
  }
  if (call.charge?.uncharged) add(call, 'left', call.charge.uncharged);
}
