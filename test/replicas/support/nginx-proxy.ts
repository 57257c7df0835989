import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { findProgram } from '../../support/program.js';

const SHIPPED = resolve(import.meta.dirname, '../../../deploy/nginx/gateway.conf');

/** nginx with the configuration of deploy/, in front of gateways on this machine. */
export class NginxProxy {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly file: string,
  ) {
    child.stderr?.on('data', (data: Buffer) => {
      this.log += data;
    });
  }

  /** Its error log. */
  log = '';

  static async start(ports: readonly number[]): Promise<NginxProxy> {
    const program = findProgram('nginx', 'TEST_NGINX');
    if (!program) throw new Error('There is no nginx here: install the package nginx-light.');
    const folder = await mkdtemp(join(tmpdir(), 'gateway-nginx-'));
    const port = await freePort();
    const file = join(folder, 'nginx.conf');
    await writeFile(file, here(await readFile(SHIPPED, 'utf8'), ports, port, folder));
    const child = spawn(program, ['-c', file, '-e', 'stderr', '-g', 'daemon off;'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const url = `http://127.0.0.1:${port}`;
    const proxy = new NginxProxy(url, child, folder, file);
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`nginx has ended:\n${proxy.log}`);
      return (await fetch(`${url}/health/live`).catch(() => null))?.ok;
    });
    return proxy;
  }

  /** Like in a rolling upgrade: the gateway at this port gets no new calls, or gets them again. */
  async mark(port: number, state: 'down' | 'up'): Promise<void> {
    const text = await readFile(this.file, 'utf8');
    const server = `server 127.0.0.1:${port}`;
    const line = new RegExp(`${server}( down)?`, 'g');
    await writeFile(this.file, text.replace(line, state === 'down' ? `${server} down` : server));
    this.child.kill('SIGHUP');
    await sleep(300);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
    await rm(this.folder, { recursive: true, force: true });
  }
}

const SHIPPED_GATEWAYS = 3;

function here(shipped: string, ports: readonly number[], port: number, folder: string): string {
  let servers = 0;
  return shipped
    .replace(/^\s*server gateway(-\d+)?:8080(.*)$/gm, (_line, _number, options: string) => {
      const at = ports[servers++ % SHIPPED_GATEWAYS];
      return at === undefined ? '' : `    server 127.0.0.1:${at}${options.replace(' resolve', '')}`;
    })
    .replace(/listen \d+/, `listen 127.0.0.1:${port}`)
    .replaceAll('/tmp/', `${folder}/`)
    .replace(/^/, process.getuid?.() === 0 ? 'user root;\n' : '');
}
