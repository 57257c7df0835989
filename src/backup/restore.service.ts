import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { UsageError } from '../common/usage.error.js';
import { takeSchemaLock } from '../database/advisory-locks.js';
import { DatabaseServer } from '../database/database.server.js';
import { SchemaVersionService } from '../database/migration-runner.js';
import { SESSION_NAME } from '../database/session.service.js';
import { type BackupHead, type BackupSummary, BEGIN, COMMIT, differences, summaryOf } from './backup-format.js';
import { BackupReader } from './backup-reader.js';
import { readFunctions, readSequences, readTables, readTypes } from './schema-catalog.js';
import { copiesLeftOutRows, isLeftOut, withoutLeftOutChecks } from './schema-statements.js';

export interface Restored extends BackupSummary {
  readonly head: BackupHead;
  /** Whether the database had content before. */
  readonly replaced: boolean;
}

/** Makes the database equal to a backup, in one transaction: completely and verified, or unchanged. */
@Injectable()
export class RestoreService {
  constructor(
    private readonly server: DatabaseServer,
    private readonly schema: SchemaVersionService,
  ) {}

  /** `replace`: the database's content may be removed. */
  async restore(source: Readable, { replace }: { replace: boolean }): Promise<Restored> {
    const backup = await BackupReader.open(source);
    this.schema.refuseOther(backup.head.migrations);
    const client = new pg.Client({
      ...(await this.server.sessionConnection()),
      application_name: 'gateway restore',
      connectionTimeoutMillis: 5000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      // A gateway that starts now waits for the lock.
      await takeSchemaLock(client);
      await refuseRunningGateway(client);
      await client.query('BEGIN');
      const replaced = await this.makeRoom(client, replace);
      const restored = await this.fill(client, backup);
      await client.query('COMMIT');
      await client.query('ANALYZE');
      return { ...restored, head: backup.head, replaced };
    } finally {
      await client.end();
    }
  }

  /**
   * Removes the present content if it belongs to a gateway and can be removed: with `replace`, or if it was never used.
   */
  private async makeRoom(client: pg.Client, replace: boolean): Promise<boolean> {
    const tables = await readTables(client);
    if (tables.length === 0) return false;
    if ((await this.schema.applied(client)).length === 0) {
      throw new UsageError('The database contains tables that are not the gateway’s: restore to a separate database.');
    }
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::float8 FROM users) AS users, (SELECT count(*)::float8 FROM usage_calls) AS calls`,
    );
    const { users, calls } = rows[0] ?? {};
    const isUsed = users > 0 || calls > 0;
    if (isUsed && !replace) {
      throw new UsageError(
        `The database is not empty: it has ${users} users and ${calls} calls. ` +
          'Restore to another database, or add --replace to overwrite this one.',
      );
    }
    const roots = tables.filter(({ parent }) => parent === null).map(({ name }) => name);
    await client.query(`DROP TABLE ${roots.join(', ')} CASCADE`);
    for (const { name } of await readSequences(client)) await client.query(`DROP SEQUENCE ${name}`);
    for (const { name } of await readFunctions(client)) await client.query(`DROP FUNCTION ${name} CASCADE`);
    for (const { name } of await readTypes(client)) await client.query(`DROP TYPE ${name}`);
    return isUsed;
  }

  private async fill(client: pg.Client, backup: BackupReader): Promise<BackupSummary> {
    let isWhole = false;
    for await (const { statement, rows } of backup.items()) {
      if (rows && copiesLeftOutRows(statement)) await drain(rows);
      else if (rows) await pipeline(Readable.from(rows), client.query(copyFrom(statement)));
      else if (statement === COMMIT) isWhole = true;
      else if (statement !== BEGIN) await client.query(withoutLeftOutChecks(statement));
    }
    if (!isWhole) throw new UsageError('The backup is truncated: its end is missing.');
    const tables = Object.entries(backup.head.tables).filter(([name]) => !isLeftOut(name));
    const found = await summaryOf(
      client,
      tables.map(([name]) => ({ name })),
    );
    const wrong = differences({ ...backup.head, tables: Object.fromEntries(tables) }, found);
    if (wrong.length > 0) throw new Error(`the backup is incomplete, so nothing was changed: ${wrong.join('; ')}`);
    return found;
  }
}

async function drain(rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of rows);
}

async function refuseRunningGateway(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    'SELECT count(*)::int AS running FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
    [SESSION_NAME],
  );
  if (rows[0]?.running > 0) {
    throw new UsageError('A gateway is running on this database. Stop it and all of its replicas first.');
  }
}
