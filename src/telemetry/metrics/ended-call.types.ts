export interface EndedCall {
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
    /** What the upstream may bill although no caller is charged. */
    readonly estimatedCostNanodollars?: number;
  }[];
  /** `uncharged`: nano-dollars that the caller is not charged. */
  readonly charge: { readonly uncharged?: number } | null;
  readonly firstTokenMs: number | null;
  readonly totalMs: number;
}

export function upstreamLabel({ upstream, simulated }: EndedCall): string {
  return upstream ?? (simulated ? 'simulator' : 'none');
}

/**
 * Why no caller is charged: another attempt answered first, the attempt failed, or an aborted call cost more than its
 * reservation.
 */
export type UnchargedReason = 'outrun' | 'failed' | 'left';

/** The estimated costs of a call that upstreams may bill but its caller is not charged. */
export function eachUncharged(
  call: EndedCall,
  add: (call: EndedCall, reason: UnchargedReason, nanodollars: number) => void,
): void {
  for (const { outcome, estimatedCostNanodollars: cost } of call.attempts) {
    if (cost) add(call, outcome === 'outrun' ? 'outrun' : 'failed', cost);
  }
  if (call.charge?.uncharged) add(call, 'left', call.charge.uncharged);
}
