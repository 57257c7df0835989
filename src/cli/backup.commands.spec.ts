import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openBackup } from './backup.commands.js';

const folder: string = await mkdtemp(join(tmpdir(), 'backup-file-'));
afterAll(() => rm(folder, { recursive: true }));

/** What this process has open below the folder. */
async function openFiles(): Promise<string[]> {
  const handles = await readdir('/proc/self/fd');
  const files = await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')));
  return files.filter((file) => file.startsWith(folder));
}

describe('the file of a backup', () => {
  it('the file of a backup that is a folder is reported, and not kept open', async () => {
    await expect(openBackup(folder)).rejects.toThrow(`${folder} cannot be read: it is a folder.`);
    expect(await openFiles()).toEqual([]);
  });

  it('is read, and closed at its end', async () => {
    const file = join(folder, 'backup');
    await writeFile(file, 'rows');
    const stream = await openBackup(file);
    expect(await openFiles()).toEqual([file]);
    expect(await text(stream)).toBe('rows');
    expect(await openFiles()).toEqual([]);
  });
});
