import pg from 'pg';
import { toClosedRow } from '../../src/usage/ledger/usage-rows.js';
import { UPSERT_CLOSED } from '../../src/usage/ledger/usage-statements.js';
import type { ClosedCall } from '../../src/usage/usage.types.js';

/** Closes calls in a transaction that stays open for long, as another gateway's may. */
export class SlowWriter {
  private begun = false;

  private constructor(private readonly client: pg.Client) {}

  static async connect(url: string): Promise<SlowWriter> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return new SlowWriter(client);
  }

  /** Once a transaction, so that nobody waits for a row that it holds. */
  async write(call: ClosedCall): Promise<void> {
    await this.commit();
    await this.client.query('BEGIN');
    this.begun = true;
    const late = { ...call, id: `${call.id}-late` };
    await this.client.query(UPSERT_CLOSED, [JSON.stringify([toClosedRow(late, '1')])]);
  }

  async commit(): Promise<void> {
    if (this.begun) await this.client.query('COMMIT');
    this.begun = false;
  }

  async hold(lock: string): Promise<void> {
    await this.client.query(`SELECT pg_advisory_lock(${lock})`);
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
