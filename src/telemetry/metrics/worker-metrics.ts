import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** What one process tells, as prom-client has it in between. */
export type ProcessMetrics = Omit<MetricObjectWithValues<MetricValue<string>>, 'collect'>[];

/** The metrics of several processes as those of one; how each is put together it says itself. */
export function summed(processes: readonly ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate([...processes]);
}

/**
 * What workers have told, the first process keeps: one that ends, or does not answer in time, takes nothing away from
 * what only goes up. A sum that falls would look as if all of it had begun anew.
 */
export class WorkerMetrics {
  private readonly told = new Map<number, ProcessMetrics>();
  private ended: ProcessMetrics = [];

  /** Of a worker, by its number. */
  tell(worker: number, metrics: ProcessMetrics): void {
    this.told.set(worker, metrics);
  }

  /** It counts from nothing when it is replaced. */
  end(worker: number): void {
    const last = this.told.get(worker);
    if (!last) return;
    this.told.delete(worker);
    // Its types leave out the values that an aggregated metric has.
    const metrics = summed([this.ended, countsOf(last)]).getMetricsAsArray() as unknown as ProcessMetrics;
    this.ended = metrics.map(({ name, help, type, aggregator, values }) => ({ name, help, type, aggregator, values }));
  }

  /** What only goes up, of all who have ended, and of a worker that does not answer. */
  ofEnded(): ProcessMetrics {
    return this.ended;
  }

  ofSilent(worker: number): ProcessMetrics {
    return countsOf(this.told.get(worker) ?? []);
  }
}

/** Types are words here, though prom-client's own types say otherwise. */
function countsOf(metrics: ProcessMetrics): ProcessMetrics {
  return metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}
