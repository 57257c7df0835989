import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** The metrics of one process, as prom-client exchanges them. */
export type ProcessMetrics = Omit<MetricObjectWithValues<MetricValue<string>>, 'collect'>[];

/** Combines the metrics of several processes, each by its own aggregator. */
export function summed(processes: readonly ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate([...processes]);
}

/**
 * Keeps the last metrics of each worker, so that counters do not fall when a worker ends or does not respond. A falling
 * sum would look like a restart.
 */
export class WorkerMetrics {
  private readonly told = new Map<number, ProcessMetrics>();
  private ended: ProcessMetrics = [];

  update(worker: number, metrics: ProcessMetrics): void {
    this.told.set(worker, metrics);
  }

  /** Call it when the worker ended: its replacement counts from zero. */
  end(worker: number): void {
    const last = this.told.get(worker);
    if (!last) return;
    this.told.delete(worker);
    // Their types omit the values of an aggregated metric.
    const metrics = summed([this.ended, countsOf(last)]).getMetricsAsArray() as unknown as ProcessMetrics;
    this.ended = metrics.map(({ name, help, type, aggregator, values }) => ({ name, help, type, aggregator, values }));
  }

  ofEnded(): ProcessMetrics {
    return this.ended;
  }

  ofSilent(worker: number): ProcessMetrics {
    return countsOf(this.told.get(worker) ?? []);
  }
}

/** `type` is a string at runtime, contrary to prom-client's types. */
function countsOf(metrics: ProcessMetrics): ProcessMetrics {
  return metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}
