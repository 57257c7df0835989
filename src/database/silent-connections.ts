import type { Socket } from 'node:net';
import pg from 'pg';

const LOOK_MS = 250;
/** A connection that owes an answer and sent nothing for this long is checked. */
const SILENT_MS = 2000;
const CHECK_LIMIT_MS = 1000;
const KEEPALIVE_MS = 10_000;
/** Statements are recognized by their beginning; `track_activity_query_size` shortens them. */
const COMPARED_CHARACTERS = 100;

/** The statements that are being executed, and whether the server tells at all (`track_activities`). */
const EXECUTING = `
  SELECT ARRAY(
      SELECT left(query, ${COMPARED_CHARACTERS}) FROM pg_stat_activity
      WHERE state = 'active' AND usename = current_user AND wait_event IS DISTINCT FROM 'ClientWrite'
    ) AS statements,
    EXISTS (SELECT FROM pg_stat_activity WHERE pid = pg_backend_pid() AND state = 'active') AS is_known`;

interface Activity {
  statement: object | null;
  bytes: number;
  /** `performance.now()` of the last sign of life. */
  since: number;
}

/** The fields of the driver's client that its types omit. */
interface Internals {
  _connecting: boolean;
  _connected: boolean;
  _activeQuery: { text?: string } | null;
  connection: { stream: Socket };
}

/**
 * Closes connections to one address that will never answer, so that their pools replace them: a firewall forgot them, or
 * the server lost power, and TCP would wait for many minutes. A slow statement is not silence: a new connection asks the
 * server whether it is still executed. While no new connection answers either, nothing is closed.
 */
export class SilentConnections {
  private readonly clients = new Map<pg.Client, Activity>();
  private timer: NodeJS.Timeout | undefined;
  private isChecking = false;

  constructor(private readonly address: () => Promise<pg.ClientConfig>) {}

  /** Options of a client or a pool at this address; those of a pool also watch its connections. */
  optionsFor({ Client: Base = pg.Client }: pg.ClientConfig & { readonly Client?: typeof pg.Client }) {
    const watch = (client: pg.Client) => this.watch(client);
    class WatchedClient extends Base {
      constructor(config?: pg.ClientConfig) {
        super(config);
        watch(this);
      }
    }
    return { Client: WatchedClient, keepAlive: true, keepAliveInitialDelayMillis: KEEPALIVE_MS };
  }

  private watch(client: pg.Client): void {
    this.clients.set(client, { statement: null, bytes: 0, since: performance.now() });
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
    client.on('end', () => {
      this.clients.delete(client);
      if (this.clients.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    });
  }

  private look(): void {
    const now = performance.now();
    const silent = new Map<pg.Client, Activity>();
    for (const [client, activity] of this.clients) {
      const { _connecting, _activeQuery, connection } = internals(client);
      const { stream } = connection;
      const bytes = (stream.bytesRead ?? 0) + (stream.bytesWritten ?? 0);
      if (bytes !== activity.bytes || (_activeQuery ?? null) !== activity.statement) {
        Object.assign(activity, { bytes, statement: _activeQuery ?? null, since: now });
      } else if (now - activity.since >= SILENT_MS) {
        if (_connecting) close(client);
        // A paused stream waits for its reader.
        else if (activity.statement && !stream.isPaused()) silent.set(client, { ...activity });
      }
    }
    if (silent.size > 0 && !this.isChecking) void this.check(silent);
  }

  private async check(silent: ReadonlyMap<pg.Client, Activity>): Promise<void> {
    this.isChecking = true;
    const executing = await this.executing().catch(() => null);
    this.isChecking = false;
    if (executing === null) return;
    let lostSince = Number.POSITIVE_INFINITY;
    for (const [client, { since, statement }] of silent) {
      const activity = this.clients.get(client);
      if (activity?.since !== since) continue;
      if (executing.has(beginningOf(statement))) activity.since = performance.now();
      else {
        lostSince = Math.min(lostSince, since);
        close(client);
      }
    }
    if (lostSince < Number.POSITIVE_INFINITY) this.closeUnproven(lostSince);
  }

  /** Idle connections that were last heard of before another one fell silent probably share its fate. */
  private closeUnproven(lostSince: number): void {
    for (const [client, { since, statement }] of this.clients) {
      const isIdle = internals(client)._connected && statement === null && client.getTransactionStatus() === 'I';
      if (isIdle && since < lostSince) close(client);
    }
  }

  /** Null if the server does not tell. */
  private async executing(): Promise<Set<string> | null> {
    const client = new pg.Client({ ...(await this.address()), connectionTimeoutMillis: CHECK_LIMIT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const query = { text: EXECUTING, query_timeout: CHECK_LIMIT_MS };
      const { rows } = await client.query<{ statements: string[]; is_known: boolean }>(query);
      return rows[0]?.is_known ? new Set(rows[0].statements) : null;
    } finally {
      client.end().catch(() => undefined);
    }
  }
}

function internals(client: pg.Client): Internals {
  return client as unknown as Internals;
}

function beginningOf(statement: { text?: string } | null): string {
  return [...(statement?.text ?? '')].slice(0, COMPARED_CHARACTERS).join('');
}

function close(client: pg.Client): void {
  internals(client).connection.stream.destroy(new Error('Connection terminated: it does not answer'));
}
