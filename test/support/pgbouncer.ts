import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterFile } from './after-file.js';
import { DatabaseProxy } from './database-proxy.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { findProgram } from './program.js';
import { createPassableFolder } from './test-settings.js';

export const pgBouncerProgram = findProgram('pgbouncer', 'TEST_PGBOUNCER');

/** PgBouncer in transaction mode on a free port, in front of a database. */
export class PgBouncer {
  private constructor(
    /** The database's URL through it. */
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly way: DatabaseProxy,
    private readonly folder: string,
  ) {}

  static async start(databaseUrl: string): Promise<PgBouncer> {
    if (pgBouncerProgram === undefined) throw new Error('PgBouncer is not installed');
    // PgBouncer's account cannot enter the folder of the server's socket.
    const way = await DatabaseProxy.create(databaseUrl);
    await way.open();
    const { username, password, pathname, port } = new URL(way.url);
    const name = pathname.slice(1);
    const folder = await createPassableFolder('gateway-pgbouncer-');
    const listenPort = await freePort();
    const target = `host=127.0.0.1 port=${port} dbname=${name} user=${username}`;
    const secret = password === '' ? '' : ` password='${decodeURIComponent(password)}'`;
    const lines = [
      ...['[databases]', `${name} = ${target}${secret}`, '[pgbouncer]', 'pool_mode = transaction', 'auth_type = any'],
      ...['listen_addr = 127.0.0.1', `listen_port = ${listenPort}`, 'unix_socket_dir =', 'default_pool_size = 8'],
      ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ];
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(file, `${lines.join('\n')}\n`);
    await chmod(file, 0o644);
    const child = spawn(pgBouncerProgram, [file], { stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    child.stderr?.on('data', (data: Buffer) => (log += data));
    const url = `postgres://gateway@127.0.0.1:${listenPort}/${name}`;
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(`PgBouncer has ended:\n${log}`);
      return answers(url);
    }, 20_000);
    return new PgBouncer(url, child, way, folder);
  }

  readonly stop = afterFile(async () => {
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    await this.way.close();
    await rm(this.folder, { recursive: true, force: true });
  });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
