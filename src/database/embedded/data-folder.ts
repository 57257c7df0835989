import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import path from 'node:path';

/** Root's data folder when the server's account cannot enter the configured one. */
const SHARED_STATE = '/var/lib/chat-completion-gateway';

/** The folder of an embedded server: its data directory, socket, log, and the files of its processes. */
export interface DataFolder {
  /** Absolute, without symbolic links. */
  path: string;
  /** Postgres's data directory, named for its major version. */
  data: string;
  /** The account that runs the server; undefined: the account of this process. */
  account: ServerAccount | undefined;
  /** The configured folder could not be used. */
  isElsewhere: boolean;
}

/**
 * Creates the folder if necessary. If root's server account cannot enter a parent of it (for example /root), a folder
 * below /var/lib is used instead.
 */
export function openDataFolder(folder: string): DataFolder {
  const requested = path.resolve(folder);
  if (!needsAccount()) return ready(requested, undefined, false);

  const elsewhere = folderInSharedState(requested);
  const stays = hasCluster(elsewhere) && !hasCluster(requested);
  const inPlace = stays ? undefined : readyAsRoot(requested, false);
  return inPlace ?? readyAsRoot(withSharedState(elsewhere), true) ?? unreachable(elsewhere);
}

export function hasCluster(folder: string): boolean {
  return existsSync(path.join(dataDirectory(folder), 'PG_VERSION'));
}

/** The same for every start with the same absolute path, and different for different paths. */
export function folderInSharedState(folder: string): string {
  return path.join(SHARED_STATE, createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 12));
}

function dataDirectory(folder: string): string {
  return path.join(folder, 'pg18');
}

/** Makes the parent folder accessible to all accounts, regardless of root's umask. */
function withSharedState(folder: string): string {
  mkdirSync(SHARED_STATE, { recursive: true });
  chmodSync(SHARED_STATE, 0o711);
  return folder;
}

/** Undefined when the account cannot reach the folder. Existing data is never replaced by an empty folder elsewhere. */
function readyAsRoot(folder: string, isElsewhere: boolean): DataFolder | undefined {
  makeFolder(folder);
  const hasData = hasCluster(folder);
  const account = accountFor(hasData ? dataDirectory(folder) : folder, hasData);
  if (canReach(account, path.dirname(folder))) return ready(folder, account, isElsewhere);
  return hasData ? unreachable(folder) : undefined;
}

function ready(folder: string, account: ServerAccount | undefined, isElsewhere: boolean): DataFolder {
  makeFolder(folder);
  changeOwner(account, folder);
  const real = realpathSync(folder);
  return { path: real, data: dataDirectory(real), account, isElsewhere };
}

/** Creates a private folder; missing parents get ordinary permissions, so that the server's account can pass. */
function makeFolder(folder: string): void {
  mkdirSync(path.dirname(folder), { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function unreachable(folder: string): never {
  throw new Error(
    `the account that runs Postgres cannot enter a parent folder of ${folder}: allow it, or move the data`,
  );
}

interface ServerAccount {
  uid: number;
  gid: number;
}

/** Postgres refuses to run as root. */
export function needsAccount(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account for Postgres under root: the folder's owner, so that all starts use the same one; if root owns it,
 * `postgres` or else `nobody`. initdb requires an account listed in /etc/passwd.
 */
export function accountFor(folder: string, hasData: boolean): ServerAccount {
  const owner = statSync(folder);
  const known = knownAccounts();
  if (owner.uid !== 0 && (hasData || [...known.values()].some((account) => account.uid === owner.uid))) {
    return { uid: owner.uid, gid: owner.gid };
  }
  const account = known.get('postgres') ?? known.get('nobody');
  if (!account) throw new Error('Postgres cannot run as root, and there is no account "postgres" or "nobody"');
  return account;
}

/** Whether the account may enter the folder, or run the file, and all parent folders. */
export function canReach(account: ServerAccount | undefined, target: string): boolean {
  if (!account) return true;
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', target], { ...account, cwd: '/' }).status === 0;
}

export function changeOwner(account: ServerAccount | undefined, target: string): void {
  if (account) chownSync(target, account.uid, account.gid);
}

export function changeOwnerOfTree(account: ServerAccount | undefined, folder: string): void {
  if (!account) return;
  changeOwner(account, folder);
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(path.join(folder, entry), account.uid, account.gid);
  }
}

function knownAccounts(): Map<string, ServerAccount> {
  const accounts = new Map<string, ServerAccount>();
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && uid && gid) accounts.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}
