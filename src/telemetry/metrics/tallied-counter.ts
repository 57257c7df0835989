import { Counter, type Registry } from 'prom-client';

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
