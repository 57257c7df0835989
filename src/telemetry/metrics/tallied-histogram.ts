import type { Histogram, Registry } from 'prom-client';

/**
 * A histogram without labels for what happens at every chunk: prom-client's own makes an object and a text each time. It
 * is read like one of prom-client's.
 */
export class TalliedHistogram {
  private readonly counts: Float64Array;
  private sum = 0;

  constructor(
    registry: Registry,
    readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
  ) {
    this.counts = new Float64Array(bounds.length + 1);
    // Its types ask for the class, but this is all that it uses of it.
    registry.registerMetric(this as unknown as Histogram);
  }

  tally(value: number): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
    this.sum += value;
  }

  get() {
    const { name, help, sum } = this;
    let seen = 0;
    const buckets = Array.from(this.counts, (count, at) => {
      seen += count;
      return { metricName: `${name}_bucket`, labels: { le: this.bounds[at] ?? '+Inf' }, value: seen };
    });
    const totals = [
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: seen },
    ];
    return { name, help, type: 'histogram', aggregator: 'sum', values: [...buckets, ...totals] };
  }
}
