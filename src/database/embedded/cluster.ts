import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type DataFolder, hasCluster } from './data-folder.js';
import { changeOwner } from './server-account.js';
import { SERVER_ENVIRONMENT, SUPERUSER } from './server-settings.js';

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
