import type { DataFolder } from './data-folder.js';
import { ownerOf } from './owner-file.js';
import { type PostmasterPid, readPostmasterPid } from './postmaster-pid.js';
import { isServerOn } from './running-process.js';
import { answersOnSocket } from './server-address.js';

export interface LiveServer extends PostmasterPid {
  /** The mark of the process that owns the server; undefined for an orphan. */
  owner: string | undefined;
}

/** An owner in another container, which shares the data folder but not the process list. */
const UNSEEN_OWNER = 'unseen';

export async function liveServer(folder: DataFolder): Promise<LiveServer | undefined> {
  const listed = readPostmasterPid(folder.data);
  if (listed && isServerOn(listed.pid, folder.data)) return { ...listed, owner: ownerOf(listed.pid, folder) };
  if (!(await answersOnSocket(folder))) return undefined;

  const unseen = readPostmasterPid(folder.data);
  if (unseen && unseen.pid === listed?.pid) return { ...unseen, owner: UNSEEN_OWNER };
  return { pid: 0, port: 0, socketFolder: '', ready: false, owner: undefined };
}
