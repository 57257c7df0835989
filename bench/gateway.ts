import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Child } from './child.ts';
import type { Driver, Target } from './measure.ts';

/** A new folder open to all, since an embedded database started by root uses another account. */
export function benchFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-bench-'));
  chmodSync(folder, 0o755);
  return folder;
}

export interface Options {
  quick: boolean;
  json: boolean;
  profile: boolean;
  pin: boolean;
  /** Milliseconds between two chunks of one stream. */
  paceMs: number;
}

export const OPTIONS_HELP = `npm run bench -- [options]
  counters       what a request and a chunk cost apart from time; \`npm run check\` does this too
  apis           what a call through each API costs, as a multiple of the same call through chat completions
  cache          what a call costs that is answered from the cache, as a share of the same call to the upstream
  identity       what a token of an identity provider costs more than an API key
  guards         what built-in guards add to a call with a prompt of 4 kB, and to a chunk of a stream
  --quick        about 45 seconds instead of 300: without the expensive rows; the figures vary more and are slightly high
  --json         one JSON object instead of the table
  --profile      no table: CPU profiles of both servers, and where the time goes
  --no-pin       do not pin the servers to one processor and the load to another
  --pace-ms N    milliseconds between two chunks of a stream (default 10)`;

/** @throws on unknown options and on a pace that is not a positive integer. */
export function parseOptions(words: string[]): Options {
  const { values } = parseArgs({
    args: words,
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      pin: { type: 'boolean', default: true },
      'pace-ms': { type: 'string', default: '10' },
    },
  });
  const { quick, json, profile, pin } = values;
  const paceMs = Number(values['pace-ms']);
  if (!Number.isInteger(paceMs) || paceMs < 1) throw new Error('--pace-ms must be a positive integer');
  return { quick, json, profile, pin, paceMs };
}

/** The processors for the server and for the load generator. */
export interface Pinning {
  servers: number;
  load: number;
}

/** Null if processes cannot be pinned: no `taskset`, or a single processor. */
function findPinning(): Pinning | null {
  if (process.platform !== 'linux' || spawnSync('taskset', ['-V']).error) return null;
  const [servers, load] = allowedProcessors();
  return servers === undefined || load === undefined ? null : { servers, load };
}

/** Pins all threads of a process. */
export function pin(pid: number, processor: number): void {
  execFileSync('taskset', ['-acp', String(processor), String(pid)]);
}

function allowedProcessors(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

const ROOT = path.resolve(import.meta.dirname, '..');
const MAIN = path.join(ROOT, 'dist/main.js');
const CLI = path.join(ROOT, 'dist/cli/main.js');
const LOG = 'gateway.log';
const EMAIL = 'bench@localhost';
const LIMITED_EMAIL = 'limited@localhost';
/** Never reached. */
const LIMITS = {
  rates: ['--requests-per-minute', '1000000', '--tokens-per-minute', '1000000000'],
  places: ['--concurrent-calls', '10000'],
  budgets: ['--budget-day', '100000', '--budget-month', '1000000'],
};
const READY_TIMEOUT_MS = 60_000;
/** A separate environment: no `.env` and no shell setting can affect the results. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot'];

export interface Gateway {
  child: Child;
  port: number;
  folder: string;
  env: NodeJS.ProcessEnv;
}

/** Starts the built gateway with all features; its embedded database and its log are in `folder`. */
export async function launchGateway(
  folder: string,
  upstream: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<Gateway> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run \`npm run build\` first`);
  const port = await freePort();
  const env = { ...gatewayEnvironment(folder, upstream, port), ...variables };
  const child = new Child(MAIN, { env, cwd: folder, log: openSync(path.join(folder, LOG), 'a') });
  return { child, port, folder, env };
}

/**
 * Waits until the gateway is ready and creates a key of a new member who can use every model. @throws with the end of
 * its log if it does not become ready.
 */
export async function newKey(gateway: Gateway): Promise<string> {
  try {
    await ready(gateway);
    await command(gateway, 'user:create', '--email', EMAIL);
    const [{ key }] = await Promise.all([
      command(gateway, 'key:create', '--email', EMAIL, '--name', 'bench'),
      command(gateway, 'plan:grant', '--email', EMAIL),
    ]);
    return String(key);
  } catch (error) {
    const tail = readFileSync(path.join(gateway.folder, LOG), 'utf8').slice(-4000);
    throw new Error(`the gateway did not start; its log ends:\n${tail}`, { cause: error });
  }
}

/** A key of another member, with rates, concurrency and budgets on plan, user and key. */
async function newLimitedKey(gateway: Gateway): Promise<string> {
  const { rates, places, budgets } = LIMITS;
  await command(gateway, 'user:create', '--email', LIMITED_EMAIL);
  await command(gateway, 'plan:create', '--plan', 'limited', '--tiers', 'free,pro', ...rates, ...budgets);
  await command(gateway, 'plan:grant', '--email', LIMITED_EMAIL, '--plan', 'limited');
  await command(gateway, 'user:set', '--email', LIMITED_EMAIL, ...places);
  const { id, key } = await command(gateway, 'key:create', '--email', LIMITED_EMAIL, '--name', 'limited');
  await command(gateway, 'key:set', '--id', String(id), ...rates, ...places, ...budgets);
  return String(key);
}

function gatewayEnvironment(folder: string, upstream: string, port: number): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  return {
    ...Object.fromEntries(inherited),
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: path.join(folder, 'data'),
    CONFIG_DIR: path.join(ROOT, 'config'),
    LOG_LEVEL: 'info',
    SIMULATOR: 'off',
    OPENAI_BASE_URL: `${upstream}/v1`,
    OPENAI_API_KEY: 'test',
    ANTHROPIC_BASE_URL: upstream,
    ANTHROPIC_API_KEY: 'test',
  };
}

async function command({ env, folder }: Gateway, ...words: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...words, '--json'], { env, cwd: folder });
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Resolves when it serves; throws on timeout. */
export async function ready({ child, port }: Gateway): Promise<void> {
  for (const until = Date.now() + READY_TIMEOUT_MS; Date.now() < until; ) {
    if (child.hasEnded) throw new Error('it ended');
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
    if (response?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('not ready in time');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Everything that runs during a measurement. */
export interface Setting {
  gateway: Target;
  proxy: Target;
  driver: Driver;
  pinning: Pinning | null;
  /** Runs a command of the gateway and returns what it prints. */
  command(...words: string[]): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** Starts upstream, proxy, gateway and load generator; stops them all if one fails to start, and on a signal. */
export async function prepare({ paceMs, pin: isPinned }: Options, variables: NodeJS.ProcessEnv = {}): Promise<Setting> {
  const folder = benchFolder();
  const children: Child[] = [];
  const start = (script: string, env: NodeJS.ProcessEnv = {}): Child => {
    const child = new Child(path.join(import.meta.dirname, script), { env: { ...process.env, ...env } });
    children.push(child);
    return child;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(1)));
  }
  try {
    const load = start('load.ts');
    const upstream = start('upstream.ts', { BENCH_PACE_MS: String(paceMs) });
    const upstreamUrl = `http://127.0.0.1:${await upstream.ask<number>('port')}`;
    const proxy = start('bare-proxy.ts', { BENCH_UPSTREAM: upstreamUrl });
    const proxyPort = await proxy.ask<number>('port');
    const gateway = await launchGateway(folder, upstreamUrl, variables);
    children.push(gateway.child);
    const keys = { key: await newKey(gateway), limitedKey: await newLimitedKey(gateway) };
    const pinning = isPinned ? findPinning() : null;
    if (pinning) {
      for (const { pid } of [proxy, gateway.child]) pin(pid, pinning.servers);
      for (const { pid } of [load, upstream]) pin(pid, pinning.load);
    }
    return {
      gateway: { name: 'gateway', child: gateway.child, port: gateway.port, ...keys },
      proxy: { name: 'proxy', child: proxy, port: proxyPort, ...keys },
      driver: { load, upstream },
      pinning,
      command: (...words) => command(gateway, ...words),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
