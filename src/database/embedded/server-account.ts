import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface ServerAccount {
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
