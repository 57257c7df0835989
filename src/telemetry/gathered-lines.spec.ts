import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
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
    jest.useFakeTimers();
    pieces = new Pieces();
    lines = new GatheredLines(pieces);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('go on together, within 200 ms', () => {
    lines.write('a\n');
    lines.write('b\n');
    expect(pieces.written).toEqual([]);
    jest.advanceTimersByTime(200);
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
