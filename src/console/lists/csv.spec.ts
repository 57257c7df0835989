import { describe, expect, it } from '@jest/globals';
import { csvCell, csvHead, csvRow } from './csv.js';

describe('a CSV cell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1'])('that begins like a formula (%j) is told as text', (text) => {
    expect(csvCell(text)).toBe(`'${text}`);
  });

  it.each([
    ['\t=1', "'\t'=1"],
    ['\tx', "'\tx"],
    [' =1', " '=1"],
    ['a;=1', "a;'=1"],
    ['a; +1;\t-1', "a; '+1;\t'-1"],
    ['a\t@b', "a\t'@b"],
    ['1-1; a=b', '1-1; a=b'],
    ['ada@example.com', 'ada@example.com'],
  ])('that would begin like one where another character parts the cells (%j) is, too', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each([
    ['\r=1', `"'\r'=1"`],
    ['\n=1', `"'\n'=1"`],
    ['a\n=1\r\n+2', `"a\n'=1\r\n'+2"`],
    ['a;"=1', `"a;""'=1"`],
  ])('with a line break or a quote before a formula (%j) is, too', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it('is quoted where it holds a comma, a quote or a line break', () => {
    expect(csvCell('a, b')).toBe('"a, b"');
    expect(csvCell('say "hi"')).toBe('"say ""hi"""');
    expect(csvCell('two\nlines')).toBe('"two\nlines"');
    expect(csvCell('=HYPERLINK("x")')).toBe(`"'=HYPERLINK(""x"")"`);
  });

  it('stands in a file that says that it is UTF-8', () => {
    expect(csvHead(['name', 'costs'])).toBe('\uFEFFname,costs\r\n');
  });

  it('shows numbers as they are, times in UTC, and nothing for null', () => {
    expect(csvRow([-5, 12n, true, new Date(0), null, 'plain'])).toBe('-5,12,true,1970-01-01T00:00:00.000Z,,plain\r\n');
  });
});
