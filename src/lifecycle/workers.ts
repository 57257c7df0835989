import type { Log } from '../telemetry/logger.js';
import { type ProcessMetrics, WorkerMetrics } from '../telemetry/metrics/worker-metrics.js';
import { ALL_METRICS, OWN_METRICS, type WorkerOrder } from './worker.types.js';
import { WorkerPlace } from './worker-place.js';

const METRICS_LIMIT_MS = 2000;

export interface WorkersOptions {
  readonly count: number;
  readonly program: URL;
  readonly log: Log;
  ownMetrics(): Promise<ProcessMetrics>;
}

/**
 * The other processes of a gateway. They load immediately, serve when they get the order, and are replaced when they
 * end.
 */
export class Workers {
  private readonly places: readonly WorkerPlace[];
  private readonly known = new WorkerMetrics();

  constructor(private readonly options: WorkersOptions) {
    const { count, program, log } = options;
    const { logger, lines: output } = log;
    this.places = Array.from({ length: count - 1 }, (_, index) => {
      const number = index + 2;
      return new WorkerPlace({
        number,
        program,
        output,
        answers: { [ALL_METRICS]: () => this.metrics() },
        onServing: (pid) => logger.info(`Worker ${number} serves (process ${pid}).`),
        onEnd: (pid, reason) => {
          this.known.end(number);
          logger.error(`Worker ${number} (process ${pid}) has ended: ${reason}. It is being replaced.`);
        },
      });
    });
  }

  /** The metrics of all processes; for a worker that does not respond in time, its last counters. */
  async metrics(): Promise<ProcessMetrics[]> {
    const others = this.places.map((place, index) => this.metricsOf(place, index + 2));
    return [...(await Promise.all([this.options.ownMetrics(), ...others])), this.known.ofEnded()];
  }

  async begin(order: Omit<WorkerOrder, 'number'>): Promise<void> {
    await Promise.all(this.places.map((place) => place.begin(order)));
  }

  async stop(limitMs: number, signal: NodeJS.Signals): Promise<void> {
    await Promise.all(this.places.map((place) => place.stop(limitMs, signal)));
  }

  private async metricsOf(place: WorkerPlace, number: number): Promise<ProcessMetrics> {
    try {
      const metrics = (await place.ask(OWN_METRICS, METRICS_LIMIT_MS)) as ProcessMetrics;
      this.known.update(number, metrics);
      return metrics;
    } catch {
      return this.known.ofSilent(number);
    }
  }
}
