import type { Listeners } from '../http/listeners/listeners.js';
import type { Log } from '../telemetry/logger.js';

export interface GatewayPortOptions {
  readonly port: number;
  readonly host: string;
  readonly workers: number;
}

/** The gateway's port, which is reserved at the start and opened once. */
export class GatewayPort {
  private opening: Promise<number> | undefined;

  constructor(
    private readonly listeners: Listeners,
    private readonly options: GatewayPortOptions,
    private readonly logger: Log['logger'],
  ) {}

  /** Rejects when another program has the port. */
  async reserve(): Promise<void> {
    await this.listeners.reserve(this.options);
  }

  async url(): Promise<string> {
    return urlOf(await this.open(), this.options.host);
  }

  open(): Promise<number> {
    this.opening ??= this.listen();
    return this.opening;
  }

  private async listen(): Promise<number> {
    const { port, host, workers } = this.options;
    const listening = await this.listeners.open({ port, host, isShared: workers > 1 });
    this.logger.info(`Listening on ${urlOf(listening, host)}`);
    return listening;
  }
}

function urlOf(port: number, host: string): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}
