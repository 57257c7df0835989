import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROGRAM = path.join(ROOT, 'test/support/embedded-postgres.child.ts');
const HOOK = path.join(ROOT, 'test/support/typescript.hooks.mjs');

interface Reported {
  ready?: EmbeddedPostgres;
  acknowledged?: number;
  log?: string;
  failed?: string;
  lost?: string;
  stopped?: boolean;
}

/** A gateway or command-line tool in its own process that uses the embedded server. */
export class ServerUser {
  private static readonly all: ServerUser[] = [];

  readonly reported: Reported[] = [];
  readonly child: ChildProcess;
  /** Resolves when it has ended and all its output was read. */
  readonly ended: Promise<unknown>;

  constructor(
    kind: 'gateway' | 'tool',
    folder: string,
    options: { uid?: number; gid?: number; detached?: boolean } = {},
  ) {
    const args = ['--import', HOOK, PROGRAM, kind, folder];
    this.child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'], env: {}, ...options });
    this.ended = once(this.child, 'close');
    // The process may already be gone.
    this.child.stdin?.on('error', () => undefined);
    ServerUser.all.push(this);
    if (this.child.stdout) {
      createInterface({ input: this.child.stdout }).on('line', (line) => this.reported.push(JSON.parse(line)));
    }
  }

  /** For tests that fail half-way. */
  static async killAll(): Promise<void> {
    await Promise.all(ServerUser.all.splice(0).map((user) => user.kill()));
  }

  /** The server, once this process can use it. Rejects if the start fails. */
  async ready(): Promise<EmbeddedPostgres> {
    await eventually(() => this.reported.some(({ ready, failed }) => ready || failed), 60_000);
    const { ready, failed } = this.reported.find((reported) => reported.ready ?? reported.failed) ?? {};
    if (!ready) throw new Error(failed);
    return ready;
  }

  /** Inserts rows until the end; resolves when some are acknowledged. */
  async insertRows(atLeast = 50): Promise<void> {
    this.send('insert');
    const before = this.acknowledged;
    await eventually(() => this.acknowledged >= before + atLeast);
  }

  /** The number of acknowledged rows. */
  get acknowledged(): number {
    return this.reported.findLast((reported) => reported.acknowledged)?.acknowledged ?? 0;
  }

  send(line: 'insert' | 'stop'): void {
    this.child.stdin?.write(`${line}\n`);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.send('stop');
    await this.ended;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** Runs a statement, if given, and counts the table `rows`. */
export async function countedRows(server: EmbeddedPostgres, statement?: string): Promise<number> {
  const { host, port, username, password, database } = server;
  const client = new Client({ host, port, user: username, password, database });
  await client.connect();
  try {
    if (statement) await client.query(statement);
    const { rows } = await client.query<{ count: string }>('select count(*) from rows');
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

/** Resolves when the condition holds; throws after the limit. */
export async function eventually(condition: () => unknown, limitMs = 20_000): Promise<void> {
  const limit = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > limit) throw new Error(`not so within ${limitMs} ms: ${condition}`);
    await sleep(10);
  }
}

/** An ended process whose live parent never waits for it. */
export async function zombie(): Promise<{ pid: number; parent: ChildProcess }> {
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (!parent.stdout) throw new Error('no output');
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(String(line));
  await eventually(() => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '));
  return { pid, parent };
}

/** A process with the command line of a server on the data directory. */
export function imitationServer(dataDirectory: string): ChildProcess {
  return spawn('tail', ['-f', '/dev/null'], { argv0: `/opt/bin/postgres -D ${dataDirectory} `, stdio: 'ignore' });
}

/** From /proc. */
export function parentOf(pid: number): number {
  return Number(
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[1],
  );
}

/** A temporary folder that every account may enter. */
export class TemporaryFolder {
  readonly path = mkdtempSync(path.join(os.tmpdir(), 'embedded-'));

  constructor() {
    chmodSync(this.path, 0o755);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
