import type { Histogram, Registry } from 'prom-client';

/** The values of one line of a histogram. */
export class Times {
  readonly counts: Float64Array;
  sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  tally(value: number): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? 0)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
    this.sum += value;
  }
}

/**
 * A histogram for what happens at every chunk and call: prom-client's own makes an object and a text each time. It is
 * read like one of prom-client's.
 */
export class TalliedHistogram<Label extends string = never> {
  private readonly lines: { readonly labels: Readonly<Record<Label, string>>; readonly times: Times }[] = [];

  constructor(
    registry: Registry,
    readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
  ) {
    // Its types ask for the class, but this is all that it uses of it.
    registry.registerMetric(this as unknown as Histogram);
  }

  /** To be asked for once: each is a line of its own. */
  child(labels: Readonly<Record<Label, string>>): Times {
    const times = new Times(this.bounds);
    this.lines.push({ labels, times });
    return times;
  }

  get() {
    const { name, help } = this;
    const values = this.lines.flatMap(({ labels, times }) => this.valuesOf(labels, times));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }

  private valuesOf(labels: Readonly<Record<Label, string>>, { counts, sum }: Times) {
    const { name } = this;
    let seen = 0;
    const buckets = Array.from(counts, (count, at) => {
      seen += count;
      const le = this.bounds[at] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: seen };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: seen },
    ];
  }
}
