import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { GatheredLines } from './gathered-lines.js';

class Pieces {
  readonly written: string[] = [];
  write(text: string): void {
    this.written.push(text);
  }
  flush(): void {}
  flushSync(): void {}
}

describe('lines of the log', () => {
  let pieces: Pieces;
  let lines: GatheredLines;

  beforeEach(() => {
    pieces = new Pieces();
    lines = new GatheredLines(pieces);
  });

  it('go on together, by themselves', async () => {
    lines.write('a\n');
    lines.write('b\n');
    expect(pieces.written).toEqual([]);
    await eventually(() => pieces.written.length > 0);
    expect(pieces.written).toEqual(['a\nb\n']);
  });

  it('go on at once when they are many', () => {
    for (let i = 0; i < 400; i++) lines.write(`${'x'.repeat(99)}\n`);
    expect(pieces.written.map(({ length }) => length)).toEqual([32_800]);
  });

  it('go on when they are asked for', () => {
    lines.write('a\n');
    lines.flush();
    lines.flush();
    expect(pieces.written).toEqual(['a\n']);
  });
});
