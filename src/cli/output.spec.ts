import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Progress, toText } from './output.js';

describe('the output of a command for people', () => {
  it('is a line for each field of one result', () => {
    const result = {
      id: 'k1',
      until: null,
      left: undefined,
      at: new Date(0),
      models: ['a', 'b'],
      valid: true,
      count: 0,
    };
    expect(toText(result)).toBe(
      'id: k1\nuntil: -\nleft: -\nat: 1970-01-01T00:00:00.000Z\nmodels: a,b\nvalid: true\ncount: 0',
    );
  });

  it('is a table of a list, with aligned columns and no trailing spaces', () => {
    const rows = [
      { email: 'a@example.com', role: 'admin' },
      { email: 'longer@example.com', role: null },
    ];
    expect(toText(rows).split('\n')).toEqual([
      'email               role',
      'a@example.com       admin',
      'longer@example.com  -',
    ]);
  });

  it('reports an empty list', () => {
    expect(toText([])).toBe('(none)');
  });
});

describe('Progress', () => {
  let written: string[];
  let now = 0;

  beforeEach(() => {
    written = [];
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const progressOn = (isTTY: boolean) =>
    new Progress({
      isTTY,
      write: (text: string) => {
        written.push(text);
        return true;
      },
    });

  it('writes a line every five seconds without a terminal', () => {
    const progress = progressOn(false);
    for (; now < 12_000; now += 100) progress.tell(`${now} ms`);
    progress.end();
    expect(written).toEqual(['5000 ms\n', '10000 ms\n']);
  });

  it('rewrites one line of a terminal, and clears it at the end', () => {
    const progress = progressOn(true);
    for (; now < 500; now += 100) progress.tell(`${now} ms`);
    progress.end();
    expect(written).toEqual(['\r\u001b[K200 ms', '\r\u001b[K400 ms', '\r\u001b[K']);
  });

  it('writes nothing for short work', () => {
    const progress = progressOn(true);
    progress.tell('rows');
    progress.end();
    expect(written).toEqual([]);
  });
});
