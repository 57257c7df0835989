import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How long a call waits for its row. */
const PATIENCE_MS = 2000;
const CONNECTIONS = 8;

const KEY = 'SELECT id FROM api_keys WHERE key_hash = sha256($1::bytea)';
const ROW = `INSERT INTO usage_calls AS u (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream,
  status, price_version, cost_nanodollars) VALUES ($1, $2, 1, $1, $3, $3, 'free', 'm', false, $4, 'p', 5)`;
const CLOSE = `${ROW} ON CONFLICT (id, started_at) DO UPDATE SET status = excluded.status, cost_nanodollars = 5
  WHERE u.status = 'open'`;

/** The database work of a call in every version since the first: find the key, open a row and close it. */
export class CallWriters {
  calls = 0;
  slowestMs = 0;
  readonly failures: string[] = [];
  private readonly pool: pg.Pool;
  private readonly underWay = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    url: string,
    private readonly key: string,
  ) {
    this.pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
    this.pool.on('error', () => undefined);
  }

  /** Starts this many calls a second. */
  start(perSecond: number): void {
    const beganAt = performance.now();
    let begun = 0;
    this.timer = setInterval(() => {
      for (; begun < ((performance.now() - beganAt) / 1000) * perSecond; begun++) this.begin();
    }, 5);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.underWay);
    if (!this.pool.ended) await this.pool.end();
  }

  private begin(): void {
    const call = this.make(`call-${++this.calls}`)
      .catch((error) => void this.failures.push(String(error)))
      .finally(() => this.underWay.delete(call));
    this.underWay.add(call);
  }

  private async make(id: string): Promise<void> {
    const [found] = await this.timed(KEY, [this.key]);
    if (!found) throw new Error('no key');
    const keyId = found.id;
    const startedAt = new Date();
    await this.timed(ROW, [id, startedAt, keyId, 'open']);
    await sleep(20);
    await this.timed(CLOSE, [id, startedAt, keyId, 'settled']);
  }

  private async timed(sql: string, values: unknown[]): Promise<{ id: string }[]> {
    const from = performance.now();
    const { rows } = await this.pool.query({ text: sql, values });
    const ms = performance.now() - from;
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (ms > PATIENCE_MS) throw new Error(`a call waited for ${Math.round(ms)} ms`);
    return rows;
  }
}
