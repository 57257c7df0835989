import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { Subject } from 'rxjs';
import { ClockService } from './clock.service.js';
import { DatabaseServer } from './database.server.js';

export const SESSION_NAME = 'chat-completion-gateway session';
const HEARTBEAT_MS = 200;
const ANSWER_LIMIT_MS = 1000;
const RECONNECT_MS = 250;
/** Without an answer for this long, notifications may be late; below the second within which changes must apply. */
const TRUSTED_MS = 900;
/** A longer pause between checks means that this process or the database was frozen. */
const STEADY_PAUSE_MS = 2000;

/**
 * A permanent connection for LISTEN and advisory locks. It is checked five times a second and reopened when lost, with
 * its channels and locks.
 */
@Injectable()
export class SessionService {
  /** The session is connected again after it was lost: notifications may have been missed. */
  readonly restored = new Subject<void>();
  /** All locks are held again after the session was lost: others may have held them. */
  readonly regained = new Subject<void>();
  private readonly logger = new Logger('DatabaseSession');
  private readonly listeners = new Map<string, (payload: string) => void>();
  /** Lock → whether it is held now: an old connection may keep a lock for a while. */
  private readonly locks = new Map<bigint, boolean>();
  private client: pg.Client | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private stopping = false;
  /** Avoids queueing a second check behind a slow one. */
  private isChecking = false;
  /** `performance.now()` at the start of the last check that was answered. */
  private answeredAt = 0;
  /** `performance.now()` since when checks were regular. */
  private steadySince = 0;
  private backend: number | null = null;
  private hasLostLocks = false;

  constructor(
    private readonly server: DatabaseServer,
    private readonly clock: ClockService,
  ) {}

  /** ms since notifications were last known to be complete. */
  get silentMs(): number {
    return performance.now() - this.answeredAt;
  }

  /** How long checks have been regular, in ms. */
  get steadyMs(): number {
    return this.client !== undefined && this.silentMs < STEADY_PAUSE_MS ? performance.now() - this.steadySince : 0;
  }

  get backendId(): number | null {
    return this.backend;
  }

  /** False while notifications may be missed. */
  get isUp(): boolean {
    return this.client !== undefined && this.silentMs < TRUSTED_MS;
  }

  /** Call it before `start`. */
  listen(channel: string, handler: (payload: string) => void): void {
    this.listeners.set(channel, handler);
  }

  /** Takes an advisory lock and holds it until this process ends. */
  async hold(lock: bigint): Promise<void> {
    this.locks.set(lock, false);
    if (this.client) await this.takeLocks(this.client);
  }

  async start(): Promise<void> {
    this.client = await this.open();
    this.heartbeat = setInterval(() => void this.check(), HEARTBEAT_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearInterval(this.heartbeat);
  }

  /** Runs last, as it releases the locks. */
  async onApplicationShutdown(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.end();
  }

  private async open(): Promise<pg.Client> {
    const at = await this.server.sessionConnection();
    const { Client, ...keepAlive } = this.server.direct.optionsFor(at);
    const client: pg.Client = new Client({
      ...at,
      ...keepAlive,
      application_name: SESSION_NAME,
      query_timeout: ANSWER_LIMIT_MS,
      connectionTimeoutMillis: 5000,
    });
    client.on('error', () => this.lose(client));
    client.on('end', () => this.lose(client));
    client.on('notification', ({ channel, payload }) => this.listeners.get(channel)?.(payload ?? ''));
    try {
      await client.connect();
      const requestedAt = await this.clock.synchronize(client);
      for (const channel of this.listeners.keys()) await client.query(`LISTEN ${channel}`);
      for (const lock of this.locks.keys()) this.locks.set(lock, false);
      await this.takeLocks(client);
      this.backend = (await client.query<{ id: number }>('SELECT pg_backend_pid() AS id')).rows[0]?.id ?? null;
      this.answeredAt = requestedAt;
      this.steadySince = requestedAt;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    return client;
  }

  private async check(): Promise<void> {
    const { client } = this;
    if (!client || this.isChecking) return;
    this.isChecking = true;
    try {
      const requestedAt = await this.clock.synchronize(client);
      if (requestedAt - this.answeredAt > STEADY_PAUSE_MS) this.steadySince = requestedAt;
      this.answeredAt = requestedAt;
      await this.takeLocks(client);
      this.notifyRegained();
    } catch {
      this.lose(client);
      client.end().catch(() => undefined);
    } finally {
      this.isChecking = false;
    }
  }

  private async takeLocks(client: pg.Client): Promise<void> {
    for (const [lock, isTaken] of this.locks) {
      if (isTaken) continue;
      const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [String(lock)]);
      this.locks.set(lock, rows[0]?.taken === true);
    }
  }

  private notifyRegained(): void {
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
