import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import {
  type Aggregator,
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

/**
 * How the values of workers are combined where prom-client's default does not fit: an average would hide a lagging
 * worker, and the start time is that of the first process.
 */
const AGGREGATORS: Readonly<Record<string, Aggregator>> = {
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_mean_seconds: 'max',
  nodejs_eventloop_lag_stddev_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
  process_start_time_seconds: 'min',
  gateway_targets_aside: 'max',
  gateway_target_used_ratio: 'max',
  gateway_replica_lag_seconds: 'max',
  gateway_build_info: 'max',
  gateway_ready: 'min',
};

/** prom-client's metrics of the process, the heap and the event loop: they cannot be stopped, so they exist once. */
let processMetrics: readonly Metric[] | undefined;

@Injectable()
export class MetricsService {
  readonly registry = new Registry();
  private gather: (() => Promise<ProcessMetrics[]>) | undefined;

  /** Adds the metrics of the process. */
  watchProcess(): void {
    processMetrics ??= collectedMetrics();
    for (const metric of processMetrics) this.registry.registerMetric(metric);
  }

  /** Reports the metrics of all workers together; `gather` collects them. */
  aggregate(gather: () => Promise<ProcessMetrics[]>): void {
    this.gather = gather;
  }

  async own(): Promise<ProcessMetrics> {
    const metrics = await this.registry.getMetricsAsJSON();
    return metrics.map((metric) => ({ ...metric, aggregator: AGGREGATORS[metric.name] ?? metric.aggregator }));
  }

  async answer(response: ServerResponse): Promise<void> {
    const all = this.gather ? summed(await this.gather()) : this.registry;
    const text = await all.metrics();
    response.setHeader('content-type', this.registry.contentType);
    response.setHeader('cache-control', 'no-store');
    response.end(text);
  }

  /** A counter whose values are kept elsewhere, by label; `read` is called at each scrape. */
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

  /** Gauges whose values are kept elsewhere, by labels; `read` is called at each scrape. */
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

  /** A gauge whose value is kept elsewhere; `read` is called at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    this.gauges<never>(name, help, [], () => [{ value: read() }]);
  }
}

function collectedMetrics(): Metric[] {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry.getMetricsAsArray().flatMap(({ name }) => registry.getSingleMetric(name) ?? []);
}

/** The metrics of one process, as prom-client exchanges them. */
export type ProcessMetrics = Omit<MetricObjectWithValues<MetricValue<string>>, 'collect'>[];

/** Combines the metrics of several processes, each by its own aggregator. */
function summed(processes: readonly ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate([...processes]);
}

/**
 * Keeps the last metrics of each worker, so that counters do not fall when a worker ends or does not respond. A falling
 * sum would look like a restart.
 */
export class WorkerMetrics {
  private readonly reported = new Map<number, ProcessMetrics>();
  private ended: ProcessMetrics = [];

  update(worker: number, metrics: ProcessMetrics): void {
    this.reported.set(worker, metrics);
  }

  /** Call it when the worker ended: its replacement counts from zero. */
  end(worker: number): void {
    const last = this.reported.get(worker);
    if (!last) return;
    this.reported.delete(worker);
    // Their types omit the values of an aggregated metric.
    const metrics = summed([this.ended, countsOf(last)]).getMetricsAsArray() as unknown as ProcessMetrics;
    this.ended = metrics.map(({ name, help, type, aggregator, values }) => ({ name, help, type, aggregator, values }));
  }

  ofEnded(): ProcessMetrics {
    return this.ended;
  }

  ofSilent(worker: number): ProcessMetrics {
    return countsOf(this.reported.get(worker) ?? []);
  }
}

/** `type` is a string at runtime, contrary to prom-client's types. */
function countsOf(metrics: ProcessMetrics): ProcessMetrics {
  return metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}
