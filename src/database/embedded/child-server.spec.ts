import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TemporaryFolder } from '../../../test/support/embedded-postgres.process.js';
import { ServerLog } from './child-server.js';
import { type DataFolder, openDataFolder } from './data-folder.js';

describe("the server's log", () => {
  let temporary: TemporaryFolder;
  let folder: DataFolder;
  beforeEach(() => {
    temporary = new TemporaryFolder();
    folder = openDataFolder(path.join(temporary.path, 'postgres'));
  });
  afterEach(() => temporary.remove());

  function logSaying(text: string): ServerLog {
    const log = new ServerLog(folder, `mark-of-${text}`);
    log.open();
    appendFileSync(log.draft, text);
    return log;
  }

  it('starts empty at each start, and the previous one is kept', () => {
    const files = ['first', 'second', 'third'].map((start) => logSaying(start).publish());
    expect(new Set(files)).toEqual(new Set([path.join(folder.path, 'postgres.log')]));
    expect(readFileSync(path.join(folder.path, 'postgres.log'), 'utf8')).toBe('third');
    expect(readFileSync(path.join(folder.path, 'postgres.old.log'), 'utf8')).toBe('second');
  });

  it('is published once', () => {
    const log = logSaying('ours');
    expect(log.publish()).toBe(log.publish());
    expect(readdirSync(folder.path)).toEqual(['postgres.log']);
  });

  it('is kept when another start fails', () => {
    logSaying('ours').publish();
    logSaying('theirs').discard();
    expect(readdirSync(folder.path)).toEqual(['postgres.log']);
  });

  it('shows its last lines', () => {
    expect(logSaying('one\ntwo\nthree\n').tail(2)).toBe('two\nthree');
  });
});
