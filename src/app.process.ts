import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { setUpApp } from './app.setup.js';
import { SettingsError } from './config/config-file.js';
import type { Settings } from './config/settings.js';
import { GatewayAdapter } from './http/entrance/gateway.adapter.js';
import { setHeapFlags } from './lifecycle/heap/heap.js';
import { ShutdownService } from './lifecycle/shutdown.service.js';
import { NestLogger, type ProcessLog } from './telemetry/logger.js';

/** The maximum time for closing after the last answer if the database does not respond. */
const CLOSE_LIMIT_MS = 25_000;

const SAME_SIGNAL_MS = 1000;

export interface Ending {
  /** Work that runs while the application drains. */
  beside(signal: NodeJS.Signals): Promise<void>;
  after(): Promise<void>;
}

/** A process of the gateway, the first one or a worker, and its shutdown. */
export class AppProcess {
  private stopping = false;

  private constructor(
    readonly app: NestExpressApplication,
    private readonly log: ProcessLog,
  ) {}

  static async create(module: Parameters<typeof NestFactory.create>[0], settings: Settings, log: ProcessLog) {
    setHeapFlags();
    const app = await NestFactory.create<NestExpressApplication>(module, new GatewayAdapter(), {
      bodyParser: false,
      abortOnError: false,
      logger: new NestLogger(log.logger),
    });
    setUpApp(app, settings, log);
    return new AppProcess(app, log);
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  /**
   * The first signal drains and ends the process; a later one exits immediately. Signals within a second count as one:
   * a terminal sends its signal to the whole process group, and supervisors pass theirs on. SIGINT comes from a
   * terminal, where there is no load balancer to notify in advance.
   */
  stopOnSignal({ beside, after }: Ending = { beside: async () => {}, after: async () => {} }): void {
    let stoppedAt = 0;
    const stop = async (signal: NodeJS.Signals): Promise<void> => {
      if (this.stopping && performance.now() - stoppedAt < SAME_SIGNAL_MS) return;
      if (this.stopping) process.exit(1);
      stoppedAt = performance.now();
      this.stopping = true;
      await Promise.all([this.app.get(ShutdownService).drain({ isAlone: signal === 'SIGINT' }), beside(signal)]);
      setTimeout(
        () => void this.fail(new Error('The database does not respond: the gateway exits without waiting for it.')),
        CLOSE_LIMIT_MS,
      );
      await this.app.close();
      await after();
      this.log.logger.info('Stopped.');
      await this.log.end();
      process.exit(0);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => stop(signal).catch((error) => this.fail(error)));
    }
  }

  /** Logs the reason like every other line, and exits with 1. */
  private async fail(error: unknown): Promise<never> {
    this.log.logger.fatal(reasonOf(error));
    await this.log.end();
    process.exit(1);
  }
}

function fail(error: unknown, title = ''): never {
  process.stderr.write(`${title}${reasonOf(error)}\n`);
  process.exit(1);
}

export function failToStart(error: unknown): never {
  fail(error, error instanceof SettingsError ? 'The configuration contains errors:\n' : 'The gateway cannot start: ');
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || String(error) : String(error);
}
