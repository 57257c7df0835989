import { Counter, type Histogram, type Registry } from 'prom-client';

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

/** A histogram for frequent events, read like prom-client's own, which allocates an object and a string per observation. */
export class TalliedHistogram<Label extends string = never> {
  private readonly lines: { readonly labels: Readonly<Record<Label, string>>; readonly times: Times }[] = [];

  constructor(
    registry: Registry,
    readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
  ) {
    // Its types require the class, but only these members are used.
    registry.registerMetric(this as unknown as Histogram);
  }

  /** Call it once per set of labels. */
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

export class Tally {
  value = 0;
}

/**
 * A counter whose children are plain numbers, copied to prom-client at each scrape. prom-client's own children would
 * format their labels at each increment.
 */
export class TalliedCounter<Label extends string> {
  private readonly tallies: { readonly labels: Record<Label, string>; readonly tally: Tally }[] = [];

  constructor(registry: Registry, name: string, help: string, labelNames: readonly Label[]) {
    const { tallies } = this;
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const { labels, tally } of tallies) {
          this.inc(labels, tally.value);
          tally.value = 0;
        }
      },
    });
  }

  /** Call it once per set of labels. */
  child(labels: Record<Label, string>): Tally {
    const tally = new Tally();
    this.tallies.push({ labels, tally });
    return tally;
  }
}
