import { pbkdf2 } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { destination } from 'pino';
import { eventually } from '../../../test/support/eventually.js';
import { GatheredLines } from './gathered-lines.js';

class Pieces {
  readonly written: string[] = [];
  write(text: string): void {
    this.written.push(text);
  }
  flushSync(): void {}
  end(): void {}
  once(): void {}
}

describe('lines of the log', () => {
  let pieces: Pieces;
  let lines: GatheredLines;

  beforeEach(() => {
    pieces = new Pieces();
    lines = new GatheredLines(pieces);
  });

  it('are written together after a while', async () => {
    lines.write('a\n');
    lines.write('b\n');
    expect(pieces.written).toEqual([]);
    await eventually(() => pieces.written.length > 0);
    expect(pieces.written).toEqual(['a\nb\n']);
  });

  it('are written immediately when there are many', () => {
    for (let i = 0; i < 400; i++) lines.write(`${'x'.repeat(99)}\n`);
    expect(pieces.written.map(({ length }) => length)).toEqual([32_800]);
  });

  it('are written in order at the end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-lines-'));
    const file = join(folder, 'log');
    const slow = destination({ dest: file, sync: false });
    // Writes to a file use the same threads as these, which keep them busy.
    const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('a', 'b', 50_000, 64, 'sha512'));
    const gathered = new GatheredLines(slow);
    const many = `${'a'.repeat(40_000)}\n`;
    gathered.write(many);
    gathered.write('b\n');
    await gathered.end();
    gathered.write('c\n');
    expect(await readFile(file, 'utf8')).toBe(`${many}b\n`);
    await Promise.all(busy);
    await rm(folder, { recursive: true });
  });
});
