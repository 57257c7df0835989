/**
 * `npm run bench -- budget`: ten processes that open and close calls of one budget on the embedded database, like ten
 * gateways. Each is only a gateway's ledger, without HTTP, since ten whole gateways exceed a small machine.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { ReplicaFigures, ReplicaPlan, ReplicaRun } from './budget-replica.ts';
import { Child, descendantsCpu } from './child.ts';
import { launchGateway, ready } from './gateway.ts';

const REPLICAS = 10;
const CALLERS = 64;
const WARM_UP_SECONDS = 4;
const SECONDS = 15;
const REQUIRED_CALLS = 3000;
const NANO = 1_000_000_000n;

const folder = mkdtempSync(path.join(tmpdir(), 'gateway-bench-'));
chmodSync(folder, 0o755);
const gateway = await launchGateway(folder, 'http://127.0.0.1:9');
const replicas: Child[] = [];
try {
  await ready(gateway);
  await run();
} finally {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await gateway.child.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const connection = await embedded();
  const shared = { connection, userId: crypto.randomUUID(), keyId: crypto.randomUUID(), budget: String(1000n * NANO) };
  for (let instance = 1; instance <= REPLICAS; instance++) {
    const replica = new Child(path.join(import.meta.dirname, 'budget-replica.ts'));
    replicas.push(replica);
    await replica.ask('open', { ...shared, instance } satisfies ReplicaPlan);
  }
  await all({ callers: CALLERS, seconds: WARM_UP_SECONDS });
  const before = descendantsCpu(gateway.child.pid);
  const begun = performance.now();
  const figures = await all({ callers: CALLERS, seconds: SECONDS });
  const seconds = (performance.now() - begun) / 1000;
  const database = (descendantsCpu(gateway.child.pid) ?? 0) - (before ?? 0);
  const calls = sum(figures, 'calls');
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(
    `SELECT (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()) AS deadlocks, b.running,
       b.reserved_total AS reserved, b.spent_total = sum(u.cost_nanodollars) AS "isExact"
     FROM limit_balances AS b JOIN usage_calls AS u ON b.id = ANY (u.limited_by)
     WHERE b.id = $1 GROUP BY b.id`,
    [shared.userId],
  );
  await client.end();
  await Promise.all(replicas.map((replica) => replica.ask('close')));
  const [{ deadlocks, running, reserved, isExact }] = rows;
  const rate = calls / seconds;
  const isRequired =
    rate >= REQUIRED_CALLS &&
    deadlocks === '0' &&
    running === 0 &&
    reserved === '0' &&
    isExact &&
    sum(figures, 'failed') === 0;
  console.log(
    [
      `${REPLICAS} processes with ${CALLERS} callers each on one budget, ${seconds.toFixed(0)} s on the embedded database:`,
      `${rate.toFixed(0)} calls/s (wanted: ${REQUIRED_CALLS}), ${sum(figures, 'refused')} refused, ${sum(figures, 'failed')} failed`,
      `${(sum(figures, 'cpu') / calls).toFixed(0)} µs of CPU a call in the processes, ${(database / calls).toFixed(0)} in the database`,
      `${deadlocks} deadlocks; spent ${isExact ? 'equals' : 'DIFFERS FROM'} the sum of the calls, ${reserved} reserved afterwards`,
    ].join('\n'),
  );
  if (!isRequired) process.exitCode = 1;
}

function all(plan: ReplicaRun): Promise<ReplicaFigures[]> {
  return Promise.all(replicas.map((replica) => replica.ask<ReplicaFigures>('run', plan)));
}

function sum(figures: readonly ReplicaFigures[], name: keyof ReplicaFigures): number {
  return figures.reduce((total, one) => total + one[name], 0);
}

async function embedded(): Promise<pg.ClientConfig> {
  const file = path.resolve(import.meta.dirname, '../dist/database/embedded/embedded-postgres.js');
  const { startEmbeddedPostgres } = await import(file);
  const server = await startEmbeddedPostgres(path.join(folder, 'data/postgres'));
  const { host, port, username: user, password, database } = server;
  return { host, port, user, password, database };
}
