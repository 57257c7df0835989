import { describe, expect, it } from '@jest/globals';
import { csvCell, csvHead, csvRow } from './download.js';

describe('a CSV cell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1'])(
    'a CSV cell that starts like a formula (%j) is written as text',
    (text) => {
      expect(csvCell(text)).toBe(`'${text}`);
    },
  );

  it.each([
    ['\t=1', "'\t'=1"],
    ['\tx', "'\tx"],
    [' =1', " '=1"],
    ['a;=1', "a;'=1"],
    ['a; +1;\t-1', "a; '+1;\t'-1"],
    ['a\t@b', "a\t'@b"],
    ['1-1; a=b', '1-1; a=b'],
    ['ada@example.com', 'ada@example.com'],
  ])('a CSV cell that would start like one with another separator (%j) is, too', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each([
    ['\r=1', `"'\r'=1"`],
    ['\n=1', `"'\n'=1"`],
    ['a\n=1\r\n+2', `"a\n'=1\r\n'+2"`],
    ['a;"=1', `"a;""'=1"`],
  ])('a CSV cell with a line break or a quote before a formula (%j) is, too', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it('is quoted if it contains a comma, a quote or a line break', () => {
    expect(csvCell('a, b')).toBe('"a, b"');
    expect(csvCell('say "hi"')).toBe('"say ""hi"""');
    expect(csvCell('two\nlines')).toBe('"two\nlines"');
    expect(csvCell('=HYPERLINK("x")')).toBe(`"'=HYPERLINK(""x"")"`);
  });

  it('is in a file that is marked as UTF-8', () => {
    expect(csvHead(['name', 'costs'])).toBe('\uFEFFname,costs\r\n');
  });

  it('has numbers unchanged, times in UTC, and nothing for null', () => {
    expect(csvRow([-5, 12n, true, new Date(0), null, 'plain'])).toBe('-5,12,true,1970-01-01T00:00:00.000Z,,plain\r\n');
  });
});
