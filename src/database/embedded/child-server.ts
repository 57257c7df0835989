import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverArguments } from './cluster.js';
import { changeOwner, type DataFolder } from './data-folder.js';
import type { PlatformBinaries } from './platform-binaries.js';
import {
  isServerOn,
  ownerFile,
  ownerOf,
  type PostmasterPid,
  readPostmasterPid,
  removeLeftovers,
  retirePostmasterPid,
} from './running-process.js';
import { type ServerProcess, spawnServer, stopServer } from './server-process.js';

/** The socket's file name, and the longest path for it (systems allow 103 bytes or more). */
const SOCKET = '.s.PGSQL.5432';
const MAX_SOCKET_PATH_LENGTH = 100;

export interface ServerAddress {
  /** Undefined on Windows, which uses loopback TCP. */
  socketFolder: string | undefined;
  port: number;
  discard(): void;
}

/** A Unix socket in the data folder, or in a private temporary folder when the path would be too long. */
export async function newServerAddress(folder: DataFolder): Promise<ServerAddress> {
  if (process.platform === 'win32') {
    return { socketFolder: undefined, port: await freePort(), discard: () => undefined };
  }

  const usual = usualSocketFolder(folder);
  if (usual) {
    mkdirSync(usual, { recursive: true, mode: 0o700 });
    changeOwner(folder.account, usual);
    return { socketFolder: usual, port: 5432, discard: () => undefined };
  }
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'pg-'));
  changeOwner(folder.account, temporary);
  return { socketFolder: temporary, port: 5432, discard: () => rmSync(temporary, { recursive: true, force: true }) };
}

/**
 * Whether a server answers on the folder's socket, including one in another container, whose processes are not visible
 * here.
 */
export async function answersOnSocket(folder: DataFolder): Promise<boolean> {
  const usual = process.platform === 'win32' ? undefined : usualSocketFolder(folder);
  if (!usual) return false;
  return new Promise((resolve) => {
    const socket = connect(path.join(usual, SOCKET), () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
}

function usualSocketFolder(folder: DataFolder): string | undefined {
  const usual = path.join(folder.path, 'sock');
  return Buffer.byteLength(path.join(usual, SOCKET)) <= MAX_SOCKET_PATH_LENGTH ? usual : undefined;
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = address && typeof address === 'object' ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** Temporary errors: a killed server's children are still writing, or another process was faster. */
const TEMPORARY = /lock file|shared memory/;
const RETRY_LIMIT_MS = 10_000;
const RETRY_PAUSE_MS = 250;

export interface StartPlan {
  folder: DataFolder;
  binaries: PlatformBinaries;
  mark: string;
}

/** The server that this process starts if necessary. */
export class ChildServer {
  private readonly plan: StartPlan;
  private readonly log: ServerLog;
  private address: ServerAddress | undefined;
  private process: ServerProcess | undefined;
  private retryUntil: number | undefined;

  constructor(plan: StartPlan) {
    this.plan = plan;
    this.log = new ServerLog(plan.folder, plan.mark);
  }

  /**
   * One step towards a running server, on a folder without one. After a failed attempt the step only pauses, so that
   * the caller checks again. Throws with the end of the log when the server cannot start.
   */
  async start(): Promise<void> {
    if (this.process?.ended) return this.pauseAfterFailure(this.process);
    if (this.process) return;

    const { folder, binaries, mark } = this.plan;
    this.address ??= await newServerAddress(folder);
    removeLeftovers(folder, binaries.postgres);
    retirePostmasterPid(folder.data, path.join(folder.path, `new-${mark}`));
    this.log.open();
    this.process = spawnServer(binaries, this.arguments(this.address), folder, this.log.draft);
  }

  async stop(pid: number): Promise<void> {
    await stopServer(pid, this.plan.binaries, this.plan.folder);
    this.address?.discard();
  }

  /** Call it when the server is ready and owned by this process. */
  confirm(): void {
    this.log.publish();
  }

  /** Another process was faster: discards the attempt. */
  withdraw(): void {
    this.log.discard();
    this.abandon();
  }

  /** Gives up waiting for the server. */
  abandon(): void {
    this.process?.abandon();
    this.address?.discard();
    this.log.publish();
  }

  private async pauseAfterFailure({ error }: ServerProcess): Promise<void> {
    const reason = this.log.tail();
    this.retryUntil ??= performance.now() + RETRY_LIMIT_MS;
    if (!TEMPORARY.test(reason) || performance.now() > this.retryUntil) {
      const message = `the embedded Postgres does not start; ${this.log.publish()} says:\n${reason}`;
      throw new Error(message, { cause: error });
    }
    this.process = undefined;
    await sleep(RETRY_PAUSE_MS);
  }

  private arguments(address: ServerAddress): string[] {
    const { folder, mark } = this.plan;
    const { socketFolder, port } = address;
    return serverArguments({ dataDirectory: folder.data, socketFolder, port, ownerFile: ownerFile(folder, mark) });
  }
}

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

/**
 * The server's log file (a pipe would end with this process). Each start has its own file until the owner of the
 * running server is known, as several processes may try at once.
 */
export class ServerLog {
  readonly draft: string;
  private readonly folder: DataFolder;

  constructor(folder: DataFolder, mark: string) {
    this.folder = folder;
    this.draft = path.join(folder.path, `log-${mark}`);
  }

  open(): void {
    closeSync(openSync(this.draft, 'a', 0o600));
    changeOwner(this.folder.account, this.draft);
  }

  /** Gives the log its final name and returns it. The previous log is kept as `postgres.old.log`. */
  publish(): string {
    const file = path.join(this.folder.path, 'postgres.log');
    if (!existsSync(this.draft)) return file;
    moved(file, path.join(this.folder.path, 'postgres.old.log'));
    return moved(this.draft, file) ? file : this.draft;
  }

  discard(): void {
    rmSync(this.draft, { force: true });
  }

  tail(lines = 8): string {
    return readFileSync(this.draft, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  }
}

/** False when the file does not exist, or is in use on Windows. */
function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}
