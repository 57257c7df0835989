import pg from 'pg';
import type { ClosedCall, OpenCall } from '../../src/ledger/call-record.types.js';
import { ClosingFormat, OpeningFormat } from '../../src/ledger/rows/row.formats.js';
import { LedgerSchema } from '../../src/ledger/rows/usage-statements.js';

/** Closes calls in a transaction that stays open for a long time, like one of another gateway. */
export class SlowWriter {
  private begun = false;

  private constructor(
    private readonly client: pg.Client,
    private readonly schema: LedgerSchema,
  ) {}

  static async connect(url: string): Promise<SlowWriter> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    const schema = new LedgerSchema();
    await schema.read(client);
    return new SlowWriter(client, schema);
  }

  /** Immediately. */
  async open(call: OpenCall, instanceId: string): Promise<void> {
    await this.client.query(new OpeningFormat(instanceId, this.schema).query([call], false));
  }

  /** One call in each transaction, so that no one waits for a row that it locks. */
  async write(call: ClosedCall): Promise<void> {
    await this.commit();
    await this.client.query('BEGIN');
    this.begun = true;
    const late = { ...call, id: `${call.id}-late` };
    await this.client.query(new ClosingFormat('1', this.schema).query([late], false));
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
