import type { Log } from '../telemetry/logger.js';
import type { ProcessMetrics } from '../telemetry/metrics/metrics.service.js';
import { ALL_METRICS, OWN_METRICS, type WorkerOrder } from './worker.types.js';
import { WorkerPlace } from './worker-place.js';

const METRICS_LIMIT_MS = 2000;

export interface WorkersOptions {
  /** All processes of the gateway, the first one included. */
  readonly count: number;
  readonly program: URL;
  readonly log: Log;
  ownMetrics(): Promise<ProcessMetrics>;
}

/** The processes of a gateway beside the first one: they load at once, serve when they may, and are replaced when they end. */
export class Workers {
  private readonly places: readonly WorkerPlace[];

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
        onEnd: (pid, reason) => logger.error(`Worker ${number} (process ${pid}) has ended: ${reason}. It is replaced.`),
      });
    });
  }

  /** The first process's own, and those of every worker that tells them in time. */
  async metrics(): Promise<ProcessMetrics[]> {
    const others = this.places.map((place) => place.ask(OWN_METRICS, METRICS_LIMIT_MS) as Promise<ProcessMetrics>);
    const told = await Promise.allSettled([this.options.ownMetrics(), ...others]);
    return told.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  async begin(order: Omit<WorkerOrder, 'number'>): Promise<void> {
    await Promise.all(this.places.map((place) => place.begin(order)));
  }

  async stop(limitMs: number): Promise<void> {
    await Promise.all(this.places.map((place) => place.stop(limitMs)));
  }
}
