import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { changeOwner, type DataFolder, hasCluster } from './data-folder.js';

export const SUPERUSER = 'postgres';
export const DATABASE = 'postgres';

/** The environment of the server and initdb; Windows adds required variables. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export interface ServerPlace {
  dataDirectory: string;
  /** Undefined on Windows, which uses loopback TCP. */
  socketFolder: string | undefined;
  port: number;
  /** Written by the server at its start, and removed when it stops. */
  ownerFile: string;
}

/**
 * The server's command line. `fsync`, `synchronous_commit` and `full_page_writes` keep their defaults, so acknowledged
 * commits are on disk. Shared memory is mapped from files, as containers often have only 64 MB of /dev/shm.
 */
export function serverArguments(place: ServerPlace): string[] {
  const settings = {
    listen_addresses: place.socketFolder ? '' : '127.0.0.1',
    unix_socket_directories: place.socketFolder ? listItem(place.socketFolder) : '',
    unix_socket_permissions: '0700',
    external_pid_file: place.ownerFile,
    max_connections: '300',
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    dynamic_shared_memory_type: place.socketFolder ? 'mmap' : 'windows',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', place.dataDirectory, '-p', String(place.port), ...options];
}

function listItem(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`;
}

const run = promisify(execFile);

const INITDB_OPTIONS = [
  ...['-U', SUPERUSER, '-A', 'scram-sha-256', '-E', 'UTF8', '--data-checksums', '--no-instructions'],
  ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
];

/**
 * Creates the cluster with its password in a private folder and renames the folder when it is complete. So a killed
 * process leaves no partial cluster, and if several processes try, the first one wins.
 */
export async function createCluster(folder: DataFolder, initdb: string, mark: string): Promise<void> {
  const draft = path.join(folder.path, `new-${mark}`);
  const cluster = path.join(draft, 'cluster');
  const password = path.join(draft, 'password');
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
    changeOwner(folder.account, draft);
    changeOwner(folder.account, password);
    await runInitdb(initdb, ['-D', cluster, '--pwfile', password, ...INITDB_OPTIONS], folder);
    renameSync(password, passwordFile(cluster));
    syncFolder(cluster);
    renameSync(cluster, folder.data);
    syncFolder(folder.path);
  } catch (error) {
    if (!hasCluster(folder.path)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export function readPassword(folder: DataFolder): string {
  return readFileSync(passwordFile(folder.data), 'utf8').trim();
}

/** Stored in the cluster, because each is useless without the other. */
function passwordFile(cluster: string): string {
  return path.join(cluster, 'password');
}

async function runInitdb(initdb: string, args: string[], folder: DataFolder): Promise<void> {
  try {
    await run(initdb, args, { ...folder.account, cwd: folder.path, env: SERVER_ENVIRONMENT });
  } catch (cause) {
    throw new Error(`the embedded database could not be created: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  if ('code' in failure && failure.code === 'ENOENT') {
    return 'its programs cannot run on this system (on Linux they need glibc 2.27 or later): set DATABASE_URL';
  }
  const output = 'stderr' in failure ? String(failure.stderr).trim() : '';
  return output || failure.message;
}

/** Makes renames in the folder survive a power loss. Windows cannot sync a folder and does not need to. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
