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

/** What passes by itself: a killed server's children still write, or another process was faster. And how long it may. */
const PASSING = /lock file|shared memory/;
const RETRY_LIMIT_MS = 10_000;
const RETRY_PAUSE_MS = 250;

/** What a start needs to know. */
export interface StartPlan {
  folder: DataFolder;
  binaries: PlatformBinaries;
  /** This start's name among those of all processes. */
  mark: string;
}

/** The server that this process starts, if it comes to that. */
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
   * One step towards a running server, on a folder where none runs. After an attempt that failed the step is only a
   * pause, so that the caller looks again. Throws when the server cannot start, with the end of its log.
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

  /** Resolves when the server is gone. */
  async stop(pid: number): Promise<void> {
    await stopServer(pid, this.plan.binaries, this.plan.folder);
    this.address?.discard();
  }

  /** To be called when the server is ready, and is ours. */
  confirm(): void {
    this.log.publish();
  }

  /** Another process was faster: nothing stays of what was begun. */
  withdraw(): void {
    this.log.discard();
    this.abandon();
  }

  /** The server does not become ready. */
  abandon(): void {
    this.process?.abandon();
    this.address?.discard();
    this.log.publish();
  }

  private async pauseAfterFailure({ error }: ServerProcess): Promise<void> {
    const reason = this.log.tail();
    this.retryUntil ??= performance.now() + RETRY_LIMIT_MS;
    if (!PASSING.test(reason) || performance.now() > this.retryUntil) {
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
