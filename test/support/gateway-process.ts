import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { newSecret } from '../../src/auth/api-key.secret.js';
import { afterFile } from './after-file.js';
import { queryEmbedded, queryServer } from './embedded-query.js';
import { type ConfigFiles, createWorkFolder } from './test-settings.js';

/** As `npm start` and the image run it. */
export const NODE_OPTIONS = ['--disable-proto=delete'];

const ROOT = resolve(import.meta.dirname, '../..');

export const CLI = resolve(ROOT, 'dist/cli/main.js');

/** The compile cache saves short-lived processes a third of their start. */
export const PROCESS_VARIABLES = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: resolve(tmpdir(), 'gateway-compile-cache'),
};

export interface GatewayProcessOptions {
  env?: Record<string, string>;
  config?: ConfigFiles;
  /** The folder of an earlier process, to restart on its data. */
  folder?: Awaited<ReturnType<typeof createWorkFolder>>;
  /** Do not wait until it is ready. */
  eager?: boolean;
}

/** The built gateway (`dist/main.js`) in its own process; without DATABASE_URL it uses its embedded database. */
export class GatewayProcess {
  /** stdout and stderr. */
  output = '';
  stdout = '';
  stderr = '';
  private readonly closed: Promise<unknown>;

  private constructor(
    readonly child: ChildProcess,
    readonly folder: Awaited<ReturnType<typeof createWorkFolder>>,
    private readonly variables: Record<string, string>,
  ) {
    child.stdout?.on('data', (data: Buffer) => {
      this.output += data;
      this.stdout += data;
    });
    child.stderr?.on('data', (data: Buffer) => {
      this.output += data;
      this.stderr += data;
    });
    this.closed = once(child, 'close');
  }

  static async start({ env = {}, config, folder, eager }: GatewayProcessOptions = {}): Promise<GatewayProcess> {
    const work = folder ?? (await createWorkFolder(await patient(config)));
    const variables = { ...work.variables, HOST: '127.0.0.1', PORT: '0', ...env };
    const child = spawn(process.execPath, [...NODE_OPTIONS, resolve(ROOT, 'dist/main.js')], {
      cwd: work.path,
      env: { ...PROCESS_VARIABLES, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gateway = new GatewayProcess(child, work, variables);
    if (!eager) await gateway.ready();
    return gateway;
  }

  /** `http://127.0.0.1:port`, once it listens. */
  get url(): string {
    const url = /Listening on (http:\/\/[^"\s]+)/.exec(this.output)?.[1];
    if (!url) throw new Error(`the gateway does not listen yet:\n${this.output}`);
    return url;
  }

  async ready(): Promise<void> {
    for (let waited = 0; waited < 60_000; waited += 50) {
      if (this.child.exitCode !== null)
        throw new Error(`the gateway ended with ${this.child.exitCode}:\n${this.output}`);
      if (/Listening on/.test(this.output)) {
        const response = await fetch(`${this.url}/health/ready`).catch(() => undefined);
        if (response?.ok) return;
      }
      await new Promise((wait) => setTimeout(wait, 50));
    }
    throw new Error(`the gateway did not become ready:\n${this.output}`);
  }

  /** Runs a command on the same data; resolves to its output. */
  async cli(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    return runCli(args, this.folder.path, this.variables);
  }

  async kill(signal: NodeJS.Signals): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    this.child.kill(signal);
    await once(this.child, 'exit');
    return this.child.exitCode;
  }

  /** Resolves to its exit code when it has ended and its output was read; null if a signal ended it. */
  async ended(): Promise<number | null> {
    await this.closed;
    return this.child.exitCode;
  }

  /** Its parsed stdout; every line must be JSON. */
  get log(): Record<string, unknown>[] {
    return this.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  /** The API key of a new user, created without the slow start of the command line. */
  async createKey(email = 'someone@example.com'): Promise<string> {
    const { key, stored } = newSecret();
    await this.query(
      `WITH owner AS (INSERT INTO users (email) VALUES ($1) RETURNING id)
       INSERT INTO api_keys (user_id, name, key_hash, display) SELECT id, 'test', $2, $3 FROM owner`,
      [email, stored.keyHash, stored.display],
    );
    return key;
  }

  private async query(sql: string, values: unknown[]): Promise<void> {
    const { DATABASE_URL: url, DATA_DIR: data = 'data' } = this.variables;
    if (url === undefined) await queryEmbedded(resolve(this.folder.path, data), sql, values);
    else await queryServer({ connectionString: url }, sql, values);
  }

  /** Ends it and removes its folder. */
  readonly stop = afterFile(async () => {
    await this.kill('SIGINT');
    await this.folder.remove();
  });
}

/** The built command line (`dist/cli/main.js`) in a folder with these variables. */
export async function runCli(args: string[], folder: string, variables: Record<string, string>, input = '') {
  const child = spawn(process.execPath, [...NODE_OPTIONS, CLI, ...args], {
    cwd: folder,
    env: { ...PROCESS_VARIABLES, ...variables },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data));
  child.stderr.on('data', (data: Buffer) => (stderr += data));
  child.stdin.end(input);
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

/** On a busy machine the event loop lags: calls are not rejected for that unless the test says so. */
async function patient(config: ConfigFiles = {}): Promise<ConfigFiles> {
  const text = config['gateway.yaml'] ?? (await readFile(resolve(ROOT, 'config/gateway.yaml'), 'utf8'));
  if (/^overload: *\S/m.test(text)) return config;
  return { ...config, 'gateway.yaml': `${text.replace(/^overload:$/m, '')}\noverload: { maxLoopDelay: 1m }\n` };
}
