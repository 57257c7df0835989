import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { UsageError } from '../common/usage.error.js';
import { GATEWAY_VERSION } from '../config/environment.js';
import { DatabaseServer } from '../database/database.server.js';
import { SchemaVersionService } from '../database/migration-runner.js';
import {
  type BackupHead,
  BEGIN,
  COMMIT,
  checkStatement,
  copyFrom,
  END_OF_ROWS,
  END_OF_STATEMENT,
  FORMAT,
  SESSION_SETTINGS,
  STOP_ON_ERROR,
  summaryOf,
  TITLE,
} from './backup-format.js';
import { readTables } from './schema-catalog.js';
import { type CopiedTable, schemaStatements } from './schema-statements.js';

/** A running backup: its header and its text. */
export interface Backup {
  readonly head: BackupHead;
  /** Read it to its end or call `return`; this releases the database. */
  readonly content: AsyncGenerator<string | Buffer>;
}

/** Writes the whole database as one text, as of one moment, while gateways keep serving. */
@Injectable()
export class BackupService {
  constructor(
    private readonly server: DatabaseServer,
    private readonly schema: SchemaVersionService,
  ) {}

  /** Calls `write` with the backup. `withContent`: it contains prompts and answers, still encrypted. */
  async backUp<Result>(write: (backup: Backup) => Promise<Result>, withContent = false): Promise<Result> {
    const client = new pg.Client({
      ...(await this.server.sessionConnection()),
      application_name: 'gateway backup',
      connectionTimeoutMillis: 5000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await lockTables(client);
      return await write(await this.open(client, withContent));
    } finally {
      await client.end();
    }
  }

  private async open(client: pg.Client, withContent: boolean): Promise<Backup> {
    for (const setting of SESSION_SETTINGS) await client.query(setting);
    const migrations = await this.schema.applied(client);
    if (migrations.length === 0)
      throw new UsageError('There is nothing to back up: no gateway has used this database.');
    const { before, tables, after } = await schemaStatements(client, withContent);
    const head: BackupHead = {
      format: FORMAT,
      program: GATEWAY_VERSION,
      createdAt: new Date().toISOString(),
      migrations,
      ...(await summaryOf(client, tables)),
    };
    return { head, content: contentOf(client, head, before, tables, after) };
  }
}

/**
 * Call it before the transaction's first snapshot. Afterwards nobody can change the definitions of the tables; rows can
 * still change.
 */
async function lockTables(client: pg.Client): Promise<void> {
  const tables = (await readTables(client)).filter(({ parent }) => parent === null);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  if (tables.length === 0) return;
  await client.query(`LOCK TABLE ${tables.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`);
}

async function* contentOf(
  client: pg.Client,
  head: BackupHead,
  before: readonly string[],
  tables: readonly CopiedTable[],
  after: readonly string[],
): AsyncGenerator<string | Buffer> {
  yield `${TITLE}\n-- ${JSON.stringify(head)}\n${STOP_ON_ERROR}${END_OF_STATEMENT}${BEGIN}${END_OF_STATEMENT}`;
  for (const statement of [...SESSION_SETTINGS, ...before]) yield `${statement};${END_OF_STATEMENT}`;
  for (const { name, columns } of tables) {
    yield `${copyFrom(name, columns)}\n`;
    yield* client.query(copyTo(`COPY (SELECT ${columns.join(', ')} FROM ${name}) TO STDOUT`));
    yield END_OF_ROWS.slice(1);
  }
  for (const statement of [...after, checkStatement(head)]) yield `${statement};${END_OF_STATEMENT}`;
  yield `${COMMIT}${END_OF_STATEMENT}`;
}
