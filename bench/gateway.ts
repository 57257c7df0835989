import { execFile } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { Child } from './child.ts';

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
export async function newLimitedKey(gateway: Gateway): Promise<string> {
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
