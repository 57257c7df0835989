import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '../../../test/support/embedded-postgres.process.js';
import type { DataFolder } from './data-folder.js';
import { ownerFile, ownerOf, removeLeftovers } from './owner-file.js';
import { newProcessMark } from './process-mark.js';

const DEAD = '99999999-0badcafe';

describe('the owner file', () => {
  let temporary: TemporaryFolder;
  let folder: DataFolder;
  beforeEach(() => {
    temporary = new TemporaryFolder();
    folder = {
      path: temporary.path,
      data: path.join(temporary.path, 'pg18'),
      account: undefined,
      isElsewhere: false,
    };
  });
  afterEach(() => temporary.remove());

  it("identifies the server's owner", () => {
    const mark = newProcessMark();
    writeFileSync(ownerFile(folder, newProcessMark()), '4710\n');
    writeFileSync(ownerFile(folder, mark), '4711\n');
    expect(ownerOf(4711, folder)).toBe(mark);
    expect(ownerOf(4712, folder)).toBeUndefined();
  });

  it('of a dead process does not count', () => {
    writeFileSync(ownerFile(folder, DEAD), '4711\n');
    expect(ownerOf(4711, folder)).toBeUndefined();
  });

  it('of a dead process is removed, with its drafts and copies of programs no longer used', () => {
    const mark = newProcessMark();
    for (const name of [`new-${DEAD}`, `log-${DEAD}`, `new-${mark}`, 'native-18.3.0', 'native-18.4.0', 'pg18']) {
      mkdirSync(path.join(folder.path, name));
    }
    for (const owner of [DEAD, mark]) writeFileSync(ownerFile(folder, owner), '4711\n');
    removeLeftovers(folder, path.join(folder.path, 'native-18.4.0/native/bin/postgres'));
    expect(readdirSync(folder.path).sort()).toEqual(['native-18.4.0', `new-${mark}`, 'pg18', `run-${mark}`]);
  });
});
