import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** What one process tells, as prom-client has it in between. */
export type ProcessMetrics = object;

/** Everything that this process tells of itself in Prometheus' format. */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();
  private gather: (() => Promise<ProcessMetrics[]>) | undefined;

  /** With prom-client's own of the process, the heap and the event loop. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Of several workers, each has its series: then `gather` brings those of all. */
  beOneOf(worker: number, gather: () => Promise<ProcessMetrics[]>): void {
    this.registry.setDefaultLabels({ worker });
    this.gather = gather;
  }

  own(): Promise<ProcessMetrics> {
    return this.registry.getMetricsAsJSON();
  }

  async answer(response: ServerResponse): Promise<void> {
    const all = this.gather ? AggregatorRegistry.aggregate(await this.gather()) : this.registry;
    const text = await all.metrics();
    response.setHeader('content-type', this.registry.contentType);
    response.setHeader('cache-control', 'no-store');
    response.end(text);
  }

  /** Numbers that only go up and are kept elsewhere, by a label: `read` is asked at each scrape. */
  counter(name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
      },
    });
  }

  /** Numbers by labels that are kept elsewhere: `read` is asked at each scrape. */
  gauges<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => readonly (Readonly<Record<Label, string>> & { readonly value: number })[],
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { value, ...labels } of read()) this.set(labels as unknown as Record<Label, string>, value);
      },
    });
  }

  /** A number that goes up and down and is kept elsewhere: `read` is asked at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}
