import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The user and group to run Postgres as. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

/** True when Postgres, which refuses to be root, needs an account other than ours. */
export function needsAccount(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Whom root runs Postgres as: whoever owns the folder, so that later starts agree with the first; in a folder of root's,
 * `postgres` or else `nobody`. A folder without data yet needs an account that /etc/passwd knows: initdb insists on one.
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

/** True when the account may enter the folder, or run the file, and every folder above it. */
export function canReach(account: ServerAccount | undefined, target: string): boolean {
  if (!account) return true;
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', target], { ...account, cwd: '/' }).status === 0;
}

/** Makes the account the owner of a file or folder; nothing to do when we are the account. */
export function handTo(account: ServerAccount | undefined, target: string): void {
  if (account) chownSync(target, account.uid, account.gid);
}

/** As handTo, for a folder and all that is in it. */
export function handTreeTo(account: ServerAccount | undefined, folder: string): void {
  if (!account) return;
  handTo(account, folder);
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
