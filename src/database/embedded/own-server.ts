import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataFolder } from './data-folder.js';
import { ownerFile, removeLeftovers } from './owner-file.js';
import type { PlatformBinaries } from './platform-binaries.js';
import { retirePostmasterPid } from './postmaster-pid.js';
import { newServerAddress, type ServerAddress } from './server-address.js';
import { ServerLog } from './server-log.js';
import { type ServerProcess, spawnServer, stopServer } from './server-process.js';
import { serverArguments } from './server-settings.js';

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
export class OwnServer {
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
