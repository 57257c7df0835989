import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { DatabaseServer } from './database.server.js';
import { SESSION_NAME, SessionService } from './session.service.js';

const CHANNEL = 'config_changed';
const ANSWERS = 'config_answers';
const ANSWER_LIMIT_MS = 10_000;
/** A notification has at most 8000 bytes. */
const MAX_REFUSAL = 1800;

export interface ReloadRequest {
  /** The processes that reload; null for all. */
  readonly family: string | null;
  /** Whether a reload that removes most models is applied, too. */
  readonly isForced?: boolean;
  /** If the processes answer. */
  readonly id?: string;
}

/** The answer of one process of a gateway. */
export interface ReloadAnswer {
  readonly process: string;
  /** Why it kept its configuration; null if it reloaded. */
  readonly refusal: string | null;
}

/** Lets the processes of all gateways on a database notify each other to reload their configuration. */
@Injectable()
export class ConfigChangedService {
  constructor(
    private readonly session: SessionService,
    private readonly server: DatabaseServer,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Call it before the database starts. `handler` returns why it refused, or null. */
  listen(handler: (request: ReloadRequest) => string | null): void {
    this.session.listen(CHANNEL, (payload) => {
      const request = parsed<ReloadRequest>(payload);
      if (!request) return;
      const refusal = handler(request)?.slice(0, MAX_REFUSAL) ?? null;
      if (request.id === undefined) return;
      const answer = { id: request.id, process: `${hostname()} ${process.pid}`, refusal };
      // The command reports a process without an answer.
      this.notify(ANSWERS, answer).catch(() => undefined);
    });
  }

  async tellFamily(family: string): Promise<void> {
    await this.notify(CHANNEL, { family });
  }

  /** Lets all processes reload and returns their answers; `silent` is the number of those that did not answer in time. */
  async request(isForced: boolean): Promise<{ answers: ReloadAnswer[]; silent: number }> {
    const id = randomUUID();
    const answers: ReloadAnswer[] = [];
    const client = new pg.Client({ ...(await this.server.sessionConnection()), connectionTimeoutMillis: 5000 });
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    client.on('error', lost.reject);
    try {
      await client.connect();
      const sessions = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`;
      const { rowCount } = await client.query(sessions, [SESSION_NAME]);
      const expected = rowCount ?? 0;
      const complete = Promise.withResolvers<void>();
      client.on('notification', ({ payload }) => {
        const answer = parsed<ReloadAnswer & { id: string }>(payload);
        if (answer?.id === id) answers.push({ process: answer.process, refusal: answer.refusal });
        if (answers.length >= expected) complete.resolve();
      });
      await client.query(`LISTEN ${ANSWERS}`);
      await this.notify(CHANNEL, { family: null, isForced, id });
      const limit = setTimeout(complete.resolve, expected > 0 ? ANSWER_LIMIT_MS : 0);
      await Promise.race([complete.promise, lost.promise]).finally(() => clearTimeout(limit));
      return { answers, silent: Math.max(0, expected - answers.length) };
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async notify(channel: string, message: object): Promise<void> {
    await this.dataSource.query('SELECT pg_notify($1, $2)', [channel, JSON.stringify(message)]);
  }
}

/** Undefined for a message of another program. */
function parsed<Message extends object>(payload: string | undefined): Message | undefined {
  try {
    const message: unknown = JSON.parse(payload ?? '');
    return typeof message === 'object' && message !== null ? (message as Message) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The channel that makes every process forget cached callers. The payload is `user:<id>`, `key:<id>`, `plan:<id>`,
 * `project:<id>` or `all`. It is sent in the transaction of the change, so it arrives when the change becomes visible.
 */
export const CALLER_CHANGED = 'caller_changed';

export const ALL_CALLERS = 'all';

export async function notifyCallerChanged(
  manager: EntityManager,
  what: 'user' | 'key' | 'plan' | 'project',
  id: string,
): Promise<void> {
  await notify(manager, `${what}:${id}`);
}

export async function notifyAllCallersChanged(manager: EntityManager): Promise<void> {
  await notify(manager, ALL_CALLERS);
}

async function notify(manager: EntityManager, payload: string): Promise<void> {
  await manager.query('SELECT pg_notify($1, $2)', [CALLER_CHANGED, payload]);
}
