import type { COUNTS, HISTOGRAMS } from '../rollups/usage-rollup-kinds.js';
import { UsageHistogram } from './usage-histogram.js';
import type { UsageSums } from './usage-report.types.js';

const SHARES = [0.5, 0.95] as const;

export type SumsRow = Record<(typeof COUNTS)[number] | 'running', string> &
  Record<(typeof HISTOGRAMS)[number], Buffer> & {
    /** Only in rows that count refused requests. */
    refused?: number;
  };

export class UsageTally {
  private readonly counts = {
    requests: 0,
    running: 0,
    errors: 0,
    aborted: 0,
    refused: 0,
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  };
  private costNanodollars = 0n;
  private readonly totalMs = new UsageHistogram();
  private readonly firstTokenMs = new UsageHistogram();

  get isEmpty(): boolean {
    const { requests, errors, refused } = this.counts;
    return requests === 0 && errors === 0 && refused === 0;
  }

  /** A sign of -1 subtracts the row. */
  addRow(row: SumsRow, sign: 1 | -1): void {
    this.counts.requests += sign * Number(row.calls);
    this.counts.running += sign * Number(row.running);
    this.counts.errors += sign * Number(row.errors);
    this.counts.aborted += sign * Number(row.aborted);
    this.counts.refused += sign * (row.refused ?? 0);
    this.counts.inputTokens += sign * Number(row.input_tokens);
    this.counts.cachedTokens += sign * Number(row.cached_tokens);
    this.counts.outputTokens += sign * Number(row.output_tokens);
    this.counts.reasoningTokens += sign * Number(row.reasoning_tokens);
    this.costNanodollars += BigInt(sign) * BigInt(row.cost_nanodollars);
    this.totalMs.add(row.total_ms, sign);
    this.firstTokenMs.add(row.first_token_ms, sign);
  }

  /** A sign of -1 subtracts it. */
  add(other: UsageTally, sign: 1 | -1 = 1): void {
    for (const name of Object.keys(this.counts) as (keyof typeof this.counts)[]) {
      this.counts[name] += sign * other.counts[name];
    }
    this.costNanodollars += BigInt(sign) * other.costNanodollars;
    this.totalMs.merge(other.totalMs, sign);
    this.firstTokenMs.merge(other.firstTokenMs, sign);
  }

  sums(): UsageSums {
    const [p50TotalMs, p95TotalMs] = this.totalMs.percentiles(SHARES);
    const [p50FirstTokenMs, p95FirstTokenMs] = this.firstTokenMs.percentiles(SHARES);
    const { requests, running, errors, aborted } = this.counts;
    return {
      ...this.counts,
      succeeded: Math.max(0, requests - running - errors - aborted),
      costNanodollars: this.costNanodollars,
      p50TotalMs,
      p95TotalMs,
      p50FirstTokenMs,
      p95FirstTokenMs,
    };
  }
}
