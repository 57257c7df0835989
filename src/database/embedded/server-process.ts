import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER_ENVIRONMENT } from './cluster.js';
import type { DataFolder } from './data-folder.js';
import type { PlatformBinaries } from './platform-binaries.js';
import { isServerOn } from './running-process.js';

/**
 * Runs the server and stops it when this process's end of its input closes. The system closes it however this process
 * ends; a second shell waits for that and requests a fast shutdown.
 */
const GUARD = `
exec 3<&0
"$@" 3<&- </dev/null & server=$!
(read -r _ <&3; kill -INT $server) & watch=$!
exec 3<&-
wait $server; result=$?
kill $watch
exit $result`;

/** After this limit an immediate shutdown follows; the next start then recovers from the log. */
const SHUTDOWN_LIMIT_MS = 20_000;

export interface ServerProcess {
  /** The server has ended, or could not be started. */
  ended: boolean;
  error?: Error;
  /** Closes the pipe, so that the guard shuts it down. */
  abandon(): void;
}

/**
 * Uses a separate session, because Ctrl-C signals the whole process group and must not stop the server before this
 * process.
 */
export function spawnServer(
  binaries: PlatformBinaries,
  args: string[],
  folder: DataFolder,
  logFile: string,
): ServerProcess {
  const isWindows = process.platform === 'win32';
  const launch = isWindows ? viaPgCtl : guarded;
  const child = launch(binaries, args, folder, logFile);
  const server: ServerProcess = { ended: false, abandon: () => child.stdin?.destroy() };
  const end = () => {
    server.ended = true;
  };
  child.on('error', (error) => {
    server.error = error;
    end();
  });
  // On Windows this is pg_ctl, which exits with 0 as soon as the server is ready.
  child.on('exit', (code) => (isWindows && code === 0 ? undefined : end()));
  child.unref();
  return server;
}

/** Requests a fast shutdown: disconnects clients, writes a checkpoint and ends. */
export function requestShutdown(pid: number, binaries: PlatformBinaries, folder: DataFolder): void {
  if (process.platform === 'win32') spawnSync(binaries.pg_ctl, ['stop', '-W', '-m', 'fast', '-D', folder.data]);
  else signal(pid, 'SIGINT');
}

export async function stopServer(pid: number, binaries: PlatformBinaries, folder: DataFolder): Promise<void> {
  if (!isServerOn(pid, folder.data)) return;
  requestShutdown(pid, binaries, folder);
  const deadline = performance.now() + SHUTDOWN_LIMIT_MS;
  while (isServerOn(pid, folder.data)) {
    if (performance.now() > deadline && process.platform !== 'win32') signal(pid, 'SIGQUIT');
    await sleep(10);
  }
}

function guarded({ postgres }: PlatformBinaries, args: string[], folder: DataFolder, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn('/bin/sh', ['-c', GUARD, 'guard', postgres, ...args], {
    ...folder.account,
    cwd: folder.path,
    env: SERVER_ENVIRONMENT,
    detached: true,
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  // The open pipe must not keep this process alive.
  child.stdin?.on('error', () => undefined);
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}

/** postgres.exe refuses to run for an administrator; pg_ctl starts it with fewer rights. */
function viaPgCtl({ pg_ctl }: PlatformBinaries, args: string[], folder: DataFolder, logFile: string): ChildProcess {
  const options = args.slice(2).map((arg) => (arg.includes(' ') ? `"${arg}"` : arg));
  return spawn(pg_ctl, ['start', '-D', folder.data, '-l', logFile, '-o', options.join(' ')], {
    cwd: folder.path,
    env: SERVER_ENVIRONMENT,
    detached: true,
    windowsHide: true,
    stdio: 'ignore',
  });
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}
