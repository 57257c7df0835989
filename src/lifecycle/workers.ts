import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { PgConnection } from '../database/database.server.js';
import type { Log } from '../telemetry/logger.js';
import { type ProcessMetrics, WorkerMetrics } from '../telemetry/metrics.service.js';
import { Channel } from './channel.js';

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

/** The pause before the second start of a worker that ended before it served; doubled for each further start. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

export interface WorkerPlaceOptions {
  readonly number: number;
  readonly program: URL;
  /** Its log, line by line: two processes writing to one pipe could mix their lines. */
  readonly output: Log['lines'];
  onServing(pid: number | undefined): void;
  readonly answers: Readonly<Record<string, () => Promise<unknown>>>;
  /** `reason`: an exit code or signal name. */
  onEnd(pid: number | undefined, reason: string): void;
}

/** Keeps one worker process running, replacing it whenever it ends. */
export class WorkerPlace {
  private child: ChildProcess;
  private channel: Channel;
  private order: WorkerOrder | undefined;
  private isStopping = false;
  private pauseMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private settled: (() => void) | undefined;

  constructor(private readonly options: WorkerPlaceOptions) {
    this.child = this.fork();
    this.channel = this.channelTo(this.child);
  }

  async begin(order: Omit<WorkerOrder, 'number'>): Promise<void> {
    this.order = { ...order, number: this.options.number };
    const settled = new Promise<void>((resolve) => {
      this.settled = resolve;
    });
    this.serve();
    await settled;
  }

  /** Rejects when the process ends or the limit is reached. */
  ask(question: string, limitMs: number): Promise<unknown> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const limit = setTimeout(() => reject(new Error('the worker does not respond')), limitMs);
    return Promise.race([this.channel.ask(question), late]).finally(() => clearTimeout(limit));
  }

  /** Drains the process and ends it; resolves when it has ended and its output is read. */
  async stop(limitMs: number, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    this.settled?.();
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.kill(signal);
    await once(child, 'close');
    clearTimeout(limit);
  }

  private fork(): ChildProcess {
    const child = fork(this.options.program, {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    forwardLines(child, this.options.output);
    // A failed start also ends with `close`.
    child.on('error', () => undefined);
    child.once('close', (code, signal) => this.replace(signal ?? String(code)));
    return child;
  }

  private channelTo(child: ChildProcess): Channel {
    const channel = new Channel(child);
    for (const [question, answer] of Object.entries(this.options.answers)) channel.answer(question, answer);
    return channel;
  }

  private serve(): void {
    // `close` handles a process that ends before it serves.
    this.channel.ask(SERVE, this.order).then(
      () => this.served(),
      () => undefined,
    );
  }

  private served(): void {
    this.pauseMs = 0;
    this.options.onServing(this.child.pid);
    this.settled?.();
  }

  private replace(reason: string): void {
    this.settled?.();
    if (this.isStopping) return;
    this.options.onEnd(this.child.pid, reason);
    this.timer = setTimeout(() => {
      this.child = this.fork();
      this.channel = this.channelTo(this.child);
      if (this.order) this.serve();
    }, this.pauseMs);
    this.pauseMs = Math.min(Math.max(2 * this.pauseMs, FIRST_PAUSE_MS), MAX_PAUSE_MS);
  }
}

function forwardLines({ stdout }: ChildProcess, output: Log['lines']): void {
  let begun = '';
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) output.write(begun + text.slice(0, end));
    begun = end > 0 ? text.slice(end) : begun + text;
  });
}

export interface WorkerOrder {
  /** The first process has number 1. */
  readonly number: number;
  readonly port: number;
  /** The embedded database; null: the worker finds the database by its URL. */
  readonly database: PgConnection | null;
}

/** To a worker: start serving, with a `WorkerOrder`; answered when it serves. */
export const SERVE = 'serve';
/** To a worker: its metrics. */
export const OWN_METRICS = 'own metrics';
/** To the first process: the metrics of all processes. */
export const ALL_METRICS = 'all metrics';
