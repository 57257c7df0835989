import { describe, expect, it } from '@jest/globals';
import { csvCell, csvRow } from './csv.js';

describe('a CSV cell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'])(
    'that begins like a formula (%j) is told as text',
    (text) => {
      expect(csvCell(text).replace(/^"/, '')).toBe(`'${text}${csvCell(text).startsWith('"') ? '"' : ''}`);
    },
  );

  it('is quoted where it holds a comma, a quote or a line break', () => {
    expect(csvCell('a, b')).toBe('"a, b"');
    expect(csvCell('say "hi"')).toBe('"say ""hi"""');
    expect(csvCell('two\nlines')).toBe('"two\nlines"');
    expect(csvCell('=HYPERLINK("x")')).toBe(`"'=HYPERLINK(""x"")"`);
  });

  it('shows numbers as they are, times in UTC, and nothing for null', () => {
    expect(csvRow([-5, 12n, true, new Date(0), null, 'plain'])).toBe('-5,12,true,1970-01-01T00:00:00.000Z,,plain\r\n');
  });
});
