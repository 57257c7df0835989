import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildServer, type LiveServer, liveServer, type StartPlan } from './child-server.js';
import { createCluster, DATABASE, readPassword, SUPERUSER } from './cluster.js';
import { hasCluster, openDataFolder } from './data-folder.js';
import { installedBinaries, runnableBinaries } from './platform-binaries.js';
import { newProcessMark } from './running-process.js';
import { requestShutdown } from './server-process.js';

/** Crash recovery first syncs the whole folder, which can take long on a busy disk. */
const READY_LIMIT_MS = 60_000;
const POLL_MS = 15;

export interface EmbeddedPostgres {
  pid: number;
  /** Whether this process started the server; then the server ends with it. */
  owner: boolean;
  /** Folder of the Unix socket, or a loopback address on Windows. */
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
  /** The actual data folder; differs from the configured one when root's server account cannot reach that. */
  folder: string;
  /** Shuts the server down if this process owns it; resolves when it has ended. */
  stop(): Promise<void>;
}

/** Messages of the start for the operator. */
export type StartLog = (message: string) => void;

/** Joins the server running on this folder, or starts it. For command-line tools and tests. */
export async function startEmbeddedPostgres(
  requested: string,
  log: StartLog = () => undefined,
): Promise<EmbeddedPostgres> {
  const installed = await installedBinaries();
  const folder = openDataFolder(requested);
  const mark = newProcessMark();
  const binaries = runnableBinaries(installed, folder, mark);
  if (folder.isElsewhere) {
    log(`the embedded database cannot use ${path.resolve(requested)} as root; it is in ${folder.path}`);
  }
  if (!hasCluster(folder.path)) {
    log(`creating the embedded database in ${folder.path}`);
    await createCluster(folder, binaries.initdb, mark);
  }
  return joinOrStart({ folder, binaries, mark });
}

async function joinOrStart(plan: StartPlan): Promise<EmbeddedPostgres> {
  const own = new ChildServer(plan);
  const limit = performance.now() + READY_LIMIT_MS;
  try {
    while (performance.now() < limit) {
      const live = await liveServer(plan.folder);
      if (!live) await own.start();
      else if (live.ready && live.owner) return connectable(live, own, plan);
      else if (live.ready) requestShutdown(live.pid, plan.binaries, plan.folder); // an orphan, which ends soon
      await sleep(POLL_MS);
    }
    throw new Error(`the embedded Postgres on ${plan.folder.path} was not ready within ${READY_LIMIT_MS / 1000} s`);
  } catch (error) {
    own.abandon();
    throw error;
  }
}

function connectable(server: LiveServer, own: ChildServer, { folder, mark }: StartPlan): EmbeddedPostgres {
  const owner = server.owner === mark;
  if (owner) own.confirm();
  else own.withdraw();
  return {
    pid: server.pid,
    owner,
    host: server.socketFolder || '127.0.0.1',
    port: server.port,
    username: SUPERUSER,
    password: readPassword(folder),
    database: DATABASE,
    folder: folder.path,
    stop: () => (owner ? own.stop(server.pid) : Promise.resolve()),
  };
}
