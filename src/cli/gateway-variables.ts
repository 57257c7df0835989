import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { UsageError } from '../common/usage.error.js';
import { addToProcess, processEnvironment } from '../config/environment.js';
import { folderInSharedState, hasCluster } from '../database/embedded/data-folder.js';

/** The variables of the systemd unit in deploy/systemd, and its folder for data. */
const SERVICE_FILE = '/etc/chat-completion-gateway/environment';
const SERVICE_DATA = '/var/lib/chat-completion-gateway';
const PROGRAMS = [resolve(import.meta.dirname, '../main.js'), resolve(import.meta.dirname, '../../bin/gateway.js')];

interface FoundGateway {
  readonly name: string;
  readonly variables: NodeJS.Dict<string>;
}

/**
 * A command without `DATABASE_URL` and `DATA_DIR` belongs to the gateway that runs from this installation, or to its
 * systemd service: it takes their variables and says so. `files`: where the service has its variables and data.
 */
export function adoptGateway(serviceFile = SERVICE_FILE, serviceData = SERVICE_DATA): void {
  if (namesDatabase()) return;
  const running = distinct(runningGateways());
  if (running.length > 1) {
    const names = running.map(({ name }) => name).join(', ');
    throw new UsageError(`Several gateways run from here (${names}): name the database with DATA_DIR or DATABASE_URL.`);
  }
  const found = running[0] ?? serviceVariables(serviceFile, serviceData);
  if (!found) return;
  addToProcess(found.variables);
  process.stderr.write(`Using the configuration of ${found.name}.\n`);
}

/** Commands do not make a database that no gateway uses, and would report success on it. */
export function assertDatabase(): void {
  const folder = resolve('data/postgres');
  if (namesDatabase() || hasCluster(folder) || hasCluster(folderInSharedState(folder))) return;
  throw new UsageError(
    `There is no database in ${folder}, and no gateway runs from here. Start the gateway first, or name its database: ` +
      'DATABASE_URL, or DATA_DIR for the embedded one.',
  );
}

function namesDatabase(): boolean {
  const environment = processEnvironment();
  return ['DATABASE_URL', 'DATABASE_URL_FILE', 'DATA_DIR'].some((name) => environment.read(name) !== undefined);
}

function serviceVariables(file: string, dataDir: string): FoundGateway | null {
  if (!existsSync(file)) return null;
  try {
    return { name: `the service (${file})`, variables: { DATA_DIR: dataDir, ...parseEnv(readFileSync(file, 'utf8')) } };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    throw new UsageError(
      `The gateway's variables are in ${file}, which cannot be read (${reason}). Run the command as root, or set ` +
        'DATABASE_URL or DATA_DIR.',
    );
  }
}

/** Those whose environment this account may read; only on systems with /proc. */
function runningGateways(): FoundGateway[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const cwd = readlinkSync(`/proc/${pid}/cwd`);
        return isGateway(readParts(pid, 'cmdline'), cwd) ? [gatewayOf(pid, cwd)] : [];
      } catch {
        return [];
      }
    });
}

function isGateway([node = '', ...args]: readonly string[], cwd: string): boolean {
  const program = args.find((argument) => !argument.startsWith('-'));
  if (!node.includes('node') || program === undefined) return false;
  const path = realpathSync(resolve(cwd, program));
  return PROGRAMS.includes(path) && (path === PROGRAMS[0] || args.includes('start'));
}

function gatewayOf(pid: string, cwd: string): FoundGateway {
  const own = Object.fromEntries(readParts(pid, 'environ').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const file = join(cwd, '.env');
  const all: NodeJS.Dict<string> = { ...(existsSync(file) && parseEnv(readFileSync(file, 'utf8'))), ...own };
  const folders = { DATA_DIR: all.DATA_DIR || 'data', CONFIG_DIR: all.CONFIG_DIR || 'config' };
  const paths = Object.entries({ ...all, ...folders })
    .filter(([name]) => name in folders || name === 'PGPASSFILE' || name.endsWith('_FILE'))
    .map(([name, path]) => [name, path && resolve(cwd, path)]);
  return { name: `the running gateway (process ${pid})`, variables: { ...all, ...Object.fromEntries(paths) } };
}

function readParts(pid: string, file: string): string[] {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean);
}

/** Gateways on the same database are the same for a command. */
function distinct(gateways: readonly FoundGateway[]): FoundGateway[] {
  const databaseOf = ({ variables }: FoundGateway) =>
    variables.DATABASE_URL || variables.DATABASE_URL_FILE || variables.DATA_DIR;
  return [...new Map(gateways.map((one) => [databaseOf(one), one])).values()];
}
