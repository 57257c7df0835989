import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { createPassableFolder } from '../../support/test-settings.js';

const PACKAGES = '/usr/lib/postgresql';

/** A PostgreSQL from the packages of the machine, with its own cluster, that can be restarted while it is used. */
export class PostgresServer {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly program: string,
    private readonly account: { uid?: number; gid?: number },
  ) {}

  static async start(): Promise<PostgresServer> {
    const folder = await createPassableFolder('gateway-replicas-');
    const account = accountOfPostgres();
    const data = join(folder, 'postgres');
    mkdirSync(data);
    if (account.uid !== undefined && account.gid !== undefined) chownSync(data, account.uid, account.gid);
    const port = await freePort();
    const server = new PostgresServer(`postgres://postgres@127.0.0.1:${port}/postgres`, folder, newest(), account);
    server.run('initdb', '-D', join(data, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C');
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data} -c max_connections=200`;
    server.control('start', '-w', '-t', '60', '-l', join(data, 'log'), '-o', options);
    return server;
  }

  /** Ends every connection and restarts within a second or two. `immediate`: it recovers like after a crash. */
  restart(mode: 'fast' | 'immediate' = 'fast'): void {
    this.control('restart', '-w', '-t', '60', '-m', mode, '-l', join(this.folder, 'postgres/log'));
  }

  async stop(): Promise<void> {
    this.control('stop', '-m', 'immediate');
    await rm(this.folder, { recursive: true, force: true });
  }

  private control(...args: string[]): void {
    this.run('pg_ctl', '-D', join(this.folder, 'postgres/data'), ...args);
  }

  private run(program: string, ...args: string[]): void {
    const ran = spawnSync(join(this.program, program), args, {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'inherit'],
      ...this.account,
    });
    if (ran.status !== 0) throw new Error(`${program} ended with ${ran.status}: ${ran.error?.message ?? ''}`);
  }
}

function newest(): string {
  const versions = existsSync(PACKAGES) ? readdirSync(PACKAGES).sort((a, b) => Number(b) - Number(a)) : [];
  const folder = versions
    .map((version) => join(PACKAGES, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (!folder) throw new Error('There is no PostgreSQL server here: install the package postgresql.');
  return folder;
}

/** PostgreSQL does not run as root. */
function accountOfPostgres(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
