import { existsSync, mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '../../../test/support/embedded-postgres.process.js';
import { answersOnSocket, newServerAddress } from './child-server.js';
import { openDataFolder } from './data-folder.js';

const onUnix = process.platform === 'win32' ? describe.skip : describe;

onUnix("the server's address", () => {
  let temporary: TemporaryFolder;
  beforeEach(() => {
    temporary = new TemporaryFolder();
  });
  afterEach(() => temporary.remove());

  it('is in a private folder next to the data', async () => {
    const folder = openDataFolder(path.join(temporary.path, 'postgres'));
    const { socketFolder, port, discard } = await newServerAddress(folder);
    expect({ socketFolder, port }).toEqual({ socketFolder: path.join(folder.path, 'sock'), port: 5432 });
    expect(statSync(socketFolder ?? '').mode & 0o777).toBe(0o700);
    discard();
    expect(existsSync(socketFolder ?? '')).toBe(true);
  });

  it('is in a private temporary folder when that path is too long, which is removed afterwards', async () => {
    const folder = openDataFolder(path.join(temporary.path, 'x'.repeat(90)));
    const { socketFolder, discard } = await newServerAddress(folder);
    expect(socketFolder).not.toContain(folder.path);
    expect(statSync(socketFolder ?? '').mode & 0o777).toBe(0o700);
    discard();
    expect(existsSync(socketFolder ?? '')).toBe(false);
  });

  it('answers only while a server listens', async () => {
    const folder = openDataFolder(path.join(temporary.path, 'postgres'));
    expect(await answersOnSocket(folder)).toBe(false);
    mkdirSync(path.join(folder.path, 'sock'));
    const server = createServer((socket) => socket.destroy()).listen(path.join(folder.path, 'sock/.s.PGSQL.5432'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await answersOnSocket(folder)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
    expect(await answersOnSocket(folder)).toBe(false);
  });
});
