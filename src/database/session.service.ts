import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { Subject } from 'rxjs';
import { DatabaseServer } from './database.server.js';

const HEARTBEAT_MS = 500;
const ANSWER_LIMIT_MS = 1000;
const RECONNECT_MS = 250;

/**
 * One connection that stays open, for what lives as long as its session: LISTEN and advisory locks. It is tested twice a
 * second, opened anew when lost, and then given its channels and locks again.
 */
@Injectable()
export class SessionService {
  /** The session stands again after it was lost: notifications may have been missed. */
  readonly restored = new Subject<void>();
  private readonly logger = new Logger('DatabaseSession');
  private readonly listeners = new Map<string, (payload: string) => void>();
  private readonly locks = new Set<bigint>();
  private client: pg.Client | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(private readonly server: DatabaseServer) {}

  /** False while notifications may be missed. */
  get isUp(): boolean {
    return this.client !== undefined;
  }

  /** To be called before `start`. */
  listen(channel: string, handler: (payload: string) => void): void {
    this.listeners.set(channel, handler);
  }

  /** Takes an advisory lock and keeps it for this process's life. */
  async hold(lock: bigint): Promise<void> {
    this.locks.add(lock);
    await this.client?.query('SELECT pg_advisory_lock($1)', [String(lock)]);
  }

  async start(): Promise<void> {
    this.client = await this.open();
    this.heartbeat = setInterval(() => void this.test(), HEARTBEAT_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearInterval(this.heartbeat);
  }

  /** Last, since it lets the locks go. */
  async onApplicationShutdown(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.end();
  }

  private async open(): Promise<pg.Client> {
    const client = new pg.Client({
      ...(await this.server.sessionConnection()),
      application_name: 'chat-completion-gateway session',
      query_timeout: ANSWER_LIMIT_MS,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    client.on('error', () => this.lose(client));
    client.on('end', () => this.lose(client));
    client.on('notification', ({ channel, payload }) => this.listeners.get(channel)?.(payload ?? ''));
    try {
      await client.connect();
      for (const channel of this.listeners.keys()) await client.query(`LISTEN ${channel}`);
      for (const lock of this.locks) await client.query('SELECT pg_advisory_lock($1)', [String(lock)]);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    return client;
  }

  private async test(): Promise<void> {
    const { client } = this;
    if (!client) return;
    await client.query('SELECT 1').catch(() => {
      this.lose(client);
      client.end().catch(() => undefined);
    });
  }

  private lose(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    if (this.stopping) return;
    this.logger.warn('The database session was lost; connecting again.');
    void this.reopen();
  }

  private async reopen(): Promise<void> {
    while (!this.stopping) {
      try {
        const client = await this.open();
        this.restored.next();
        this.client = client;
        this.logger.log('The database session stands again.');
        if (this.stopping) await this.onApplicationShutdown();
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      }
    }
  }
}
