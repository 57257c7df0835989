import { Counter, type Registry } from 'prom-client';

/** A number that goes up. */
export class Tally {
  value = 0;
}

/**
 * A counter whose children are plain numbers, which prom-client gets when it is asked: a child of its own would write its
 * labels to a text at each step.
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

  /** To be asked for once: each is a line of its own. */
  child(labels: Record<Label, string>): Tally {
    const tally = new Tally();
    this.tallies.push({ labels, tally });
    return tally;
  }
}
