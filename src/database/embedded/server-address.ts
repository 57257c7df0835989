import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { changeOwner, type DataFolder } from './data-folder.js';

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
