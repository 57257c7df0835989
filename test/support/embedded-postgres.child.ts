import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { startGatewayPostgres } from '../../src/database/embedded/gateway-postgres.js';

/**
 * Uses the embedded server: `<gateway|tool> <folder>`. Writes one JSON object a line, reads the commands `insert` and
 * `stop`, and at SIGINT writes a last row before stopping. Ends with its input.
 */
const [kind, folder = ''] = process.argv.slice(2);

// The parent has ended.
process.stdout.on('error', () => process.exit(1));

function tell(event: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

async function start() {
  const log = (message: string) => tell({ log: message });
  if (kind === 'tool') return startEmbeddedPostgres(folder, log);
  return startGatewayPostgres(folder, { log, onLost: (cause) => tell({ lost: cause.message }) });
}

async function connect() {
  const { host, port, username, password, database } = server;
  const client = new Client({ host, port, user: username, password, database });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table if not exists rows (value integer primary key)');
  return client;
}

async function insertForEver(): Promise<void> {
  const client = await connect();
  const { rows } = await client.query<{ next: number }>('select coalesce(max(value), 0) + 1 as next from rows');
  for (let value = rows[0]?.next ?? 1; ; value++) {
    await client.query('insert into rows values ($1)', [value]);
    tell({ acknowledged: value });
  }
}

async function flushAndStop(): Promise<void> {
  await sleep(150);
  const client = await connect();
  await client.query('insert into rows values (-1)');
  await client.end();
  await stop();
}

async function stop(): Promise<void> {
  await server.stop();
  tell({ stopped: true });
  process.exit(0);
}

const server = await start().catch((error: Error) => {
  tell({ failed: error.message });
  process.exit(1);
});
process.on('SIGINT', flushAndStop);
tell({ ready: server });

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'insert') insertForEver().catch((error: Error) => tell({ insertFailed: error.message }));
  if (line === 'stop') await stop();
}
process.exit(0);
