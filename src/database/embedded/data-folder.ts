import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { accountFor, canReach, handTo, needsAccount, type ServerAccount } from './server-account.js';

/** Where root keeps the data that its server account could not reach where it was asked to be. */
const SHARED_STATE = '/var/lib/chat-completion-gateway';

/** The folder of one embedded server: its data directory, socket, log, and the files of its running processes. */
export interface DataFolder {
  /** Absolute, without symbolic links. */
  path: string;
  /** Postgres's own data directory in it, named for the major version that can read it. */
  data: string;
  /** Whom the server runs as; undefined for ourselves. */
  account: ServerAccount | undefined;
  /** True when this is not the folder that was asked for. */
  isElsewhere: boolean;
}

/**
 * Makes the folder if need be. As root, where the server's account cannot enter a parent of it (below /root, say), the
 * data lies in a folder of its own below /var/lib instead.
 */
export function openDataFolder(folder: string): DataFolder {
  const asked = path.resolve(folder);
  if (!needsAccount()) return ready(asked, undefined, false);

  const elsewhere = folderInSharedState(asked);
  const stays = hasCluster(elsewhere) && !hasCluster(asked);
  const atHome = stays ? undefined : readyAsRoot(asked, false);
  return atHome ?? readyAsRoot(withSharedState(elsewhere), true) ?? unreachable(elsewhere);
}

/** True when the folder holds a complete database cluster. */
export function hasCluster(folder: string): boolean {
  return existsSync(path.join(dataDirectory(folder), 'PG_VERSION'));
}

/** The same for every start with the same absolute path, so that two checkouts never share one. */
export function folderInSharedState(folder: string): string {
  return path.join(SHARED_STATE, createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 12));
}

function dataDirectory(folder: string): string {
  return path.join(folder, 'pg18');
}

/** Lets any account through to its own folder, whatever root's umask says. */
function withSharedState(folder: string): string {
  mkdirSync(SHARED_STATE, { recursive: true });
  chmodSync(SHARED_STATE, 0o711);
  return folder;
}

/** Undefined when the account cannot get there. Data that is there already is never left behind for an empty folder. */
function readyAsRoot(folder: string, isElsewhere: boolean): DataFolder | undefined {
  makeFolder(folder);
  const hasData = hasCluster(folder);
  const account = accountFor(hasData ? dataDirectory(folder) : folder, hasData);
  if (canReach(account, path.dirname(folder))) return ready(folder, account, isElsewhere);
  return hasData ? unreachable(folder) : undefined;
}

function ready(folder: string, account: ServerAccount | undefined, isElsewhere: boolean): DataFolder {
  makeFolder(folder);
  handTo(account, folder);
  const real = realpathSync(folder);
  return { path: real, data: dataDirectory(real), account, isElsewhere };
}

/** Private; parents that are missing are ordinary folders, or the server's account could not pass. */
function makeFolder(folder: string): void {
  mkdirSync(path.dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function unreachable(folder: string): never {
  throw new Error(
    `the account that runs Postgres cannot enter a parent folder of ${folder}: allow it, or move the data`,
  );
}
