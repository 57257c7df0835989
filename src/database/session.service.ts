import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { Subject } from 'rxjs';
import { ClockService } from './clock.service.js';
import { DatabaseServer } from './database.server.js';

/** What Postgres calls the session of a running gateway. */
export const SESSION_NAME = 'chat-completion-gateway session';
const HEARTBEAT_MS = 200;
const ANSWER_LIMIT_MS = 1000;
const RECONNECT_MS = 250;
/** A session that has not answered for this long may have gone silent; less than a second, in which changes must count. */
const TRUSTED_MS = 900;
/** Tests that are further apart: this process, or the database, stood still. */
const STEADY_PAUSE_MS = 2000;

/**
 * One connection that stays open, for what lives as long as its session: LISTEN and advisory locks. It is tested five
 * times a second, opened anew when lost, and then given its channels and locks again.
 */
@Injectable()
export class SessionService {
  /** The session stands again after it was lost: notifications may have been missed. */
  readonly restored = new Subject<void>();
  /** Its locks are ours again after it was lost: somebody else may have had them. */
  readonly regained = new Subject<void>();
  private readonly logger = new Logger('DatabaseSession');
  private readonly listeners = new Map<string, (payload: string) => void>();
  /** Lock → whether it is ours now: after a connection was lost, the old one may still hold it for a while. */
  private readonly locks = new Map<bigint, boolean>();
  private client: pg.Client | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private stopping = false;
  /** A test that is late is waited for: no second one joins it in the queue. */
  private isTesting = false;
  /** When the last test that was answered was sent; `performance.now()`. */
  private answeredAt = 0;
  /** Since when no two tests in a row were far apart; `performance.now()`. */
  private steadySince = 0;
  private backend: number | null = null;
  private hasLostLocks = false;

  constructor(
    private readonly server: DatabaseServer,
    private readonly clock: ClockService,
  ) {}

  /** How long ago it was last known that no notification was missed. */
  get silentMs(): number {
    return performance.now() - this.answeredAt;
  }

  /** For how many ms it has been tested without a pause. */
  get steadyMs(): number {
    return this.client !== undefined && this.silentMs < STEADY_PAUSE_MS ? performance.now() - this.steadySince : 0;
  }

  /** The server's process. */
  get backendId(): number | null {
    return this.backend;
  }

  /** False while notifications may be missed. */
  get isUp(): boolean {
    return this.client !== undefined && this.silentMs < TRUSTED_MS;
  }

  /** To be called before `start`. */
  listen(channel: string, handler: (payload: string) => void): void {
    this.listeners.set(channel, handler);
  }

  /** Takes an advisory lock and keeps it for this process's life. */
  async hold(lock: bigint): Promise<void> {
    this.locks.set(lock, false);
    if (this.client) await this.takeLocks(this.client);
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
      application_name: SESSION_NAME,
      query_timeout: ANSWER_LIMIT_MS,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    client.on('error', () => this.lose(client));
    client.on('end', () => this.lose(client));
    client.on('notification', ({ channel, payload }) => this.listeners.get(channel)?.(payload ?? ''));
    try {
      await client.connect();
      const askedAt = await this.clock.ask(client);
      for (const channel of this.listeners.keys()) await client.query(`LISTEN ${channel}`);
      for (const lock of this.locks.keys()) this.locks.set(lock, false);
      await this.takeLocks(client);
      this.backend = (await client.query<{ id: number }>('SELECT pg_backend_pid() AS id')).rows[0]?.id ?? null;
      this.answeredAt = askedAt;
      this.steadySince = askedAt;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    return client;
  }

  private async test(): Promise<void> {
    const { client } = this;
    if (!client || this.isTesting) return;
    this.isTesting = true;
    try {
      const askedAt = await this.clock.ask(client);
      if (askedAt - this.answeredAt > STEADY_PAUSE_MS) this.steadySince = askedAt;
      this.answeredAt = askedAt;
      await this.takeLocks(client);
      this.tellRegained();
    } catch {
      this.lose(client);
      client.end().catch(() => undefined);
    } finally {
      this.isTesting = false;
    }
  }

  private async takeLocks(client: pg.Client): Promise<void> {
    for (const [lock, isTaken] of this.locks) {
      if (isTaken) continue;
      const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [String(lock)]);
      this.locks.set(lock, rows[0]?.taken === true);
    }
  }

  private tellRegained(): void {
    if (!this.hasLostLocks || [...this.locks.values()].includes(false)) return;
    this.hasLostLocks = false;
    this.regained.next();
  }

  private lose(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.hasLostLocks = true;
    if (this.stopping) return;
    this.logger.warn('The database session was lost; reconnecting.');
    void this.reopen();
  }

  private async reopen(): Promise<void> {
    while (!this.stopping) {
      try {
        const client = await this.open();
        this.restored.next();
        this.client = client;
        this.logger.log('The database session is connected again.');
        if (this.stopping) await this.onApplicationShutdown();
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      }
    }
  }
}
