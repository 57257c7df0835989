import { describe, expect, it } from '@jest/globals';
import { toText } from './output.js';

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
