import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { coreMsOf } from '../../../test/support/core-time.js';
import { PdfReader } from './media-size.js';

const pdfPages = (data: string) => new PdfReader().sizeOf(data)?.pages ?? null;
const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64');
const references = (count: number) => Array.from({ length: count }, (_, index) => `${index + 10} 0 R`).join(' ');
const tree = (kids: string) => `2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count 1 >>\nendobj\n`;
const TWICE = deflateSync(deflateSync('/Kids [1 0 R]'));
const page = (id: number) => `${id} 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 9 0 R >>\nendobj\n`;
const pdf = (...objects: string[]) => Buffer.from(`%PDF-1.7\n${objects.join('')}%%EOF`, 'latin1').toString('base64');

const stream = (id: number, dictionary: string, data: string | Buffer) =>
  `${id} 0 obj\n<< ${dictionary} >>\nstream\n${data.toString('latin1' as BufferEncoding)}\nendstream\nendobj\n`;
const packed = (id: number, dictionary: string, content: string | Buffer) =>
  stream(id, `${dictionary} /Filter /FlateDecode`, deflateSync(content));
const withObjectStream = (content: string, more = '') => pdf(packed(5, `/Type /ObjStm ${more}`, content));

const TEXT = 'dense text '.repeat(10_000);
const FORM = packed(7, '/Subtype /Form', TEXT);

describe("the content of a PDF's pages", () => {
  const bytesOf = (...objects: string[]) => new PdfReader().sizeOf(pdf(...objects))?.contentBytes ?? null;

  it('counts inflated, and each time that a page has it', () => {
    expect(bytesOf(tree('1 0 R'), page(1), packed(9, '', TEXT))).toBe(TEXT.length);
    expect(bytesOf(tree('1 0 R 3 0 R'), page(1), page(3), packed(9, '', TEXT))).toBe(2 * TEXT.length);
    const two = `1 0 obj << /Type /Page /Con#74ents [9 0 R 8 0 R] >> endobj\n`;
    expect(bytesOf(tree('1 0 R'), two, packed(9, '', TEXT), stream(8, '', TEXT))).toBe(2 * TEXT.length + 1);
  });

  it.each<[string, string]>([
    ['that is drawn repeatedly', FORM],
    ['with an encoded name', packed(7, '/Subtype /F#6frm', TEXT)],
    ['whose name is elsewhere', packed(7, '/Subtype 3 0 R', TEXT)],
  ])('counts a form %s', (_what, form) => {
    const pages = [tree('1 0 R'), page(1), packed(9, '', '/F Do '.repeat(50))];
    expect(bytesOf(...pages, form)).toBeGreaterThanOrEqual(50 * TEXT.length);
    expect(bytesOf(...pages, packed(7, '/Subtype /Image', TEXT))).toBeLessThan(1000);
  });

  it('is text as far as it is within brackets, in forms as often as they are drawn', () => {
    const textOf = (content: string, ...objects: string[]) =>
      new PdfReader(true).sizeOf(pdf(tree('1 0 R'), page(1), packed(9, '', content), ...objects))?.textBytes;
    expect(textOf(`0 0 m ${'1 1 l '.repeat(1000)}`)).toBe(0);
    expect(textOf('BT (abc) Tj [(a (b) \\) c) -20 (d)] TJ ET')).toBeGreaterThanOrEqual(3 + 8 + 1);
    expect(textOf(`<${'6162 '.repeat(100)}> Tj`)).toBeGreaterThanOrEqual(200);
    expect(textOf(`(${'\\101'.repeat(100)}) Tj`)).toBe(101);
    expect(textOf(`(${'\\1ab'.repeat(100)}) Tj`)).toBe(301);
    expect(textOf('% )\n(a) Tj (bcd) Tj')).toBeGreaterThanOrEqual(4);
    const form = packed(7, '/Subtype /Form', '(abcdefgh) Tj');
    expect(textOf('/F Do '.repeat(50), form)).toBeGreaterThanOrEqual(50 * 8);
    expect(bytesOf(tree('1 0 R'), page(1), packed(9, '', TEXT))).toBe(TEXT.length);
  });

  it('is unknown for forms that draw forms beyond all bounds, and for forms that are hidden', () => {
    const pages = [tree('1 0 R'), page(1), packed(9, '', '/F Do')];
    const nested = Array.from({ length: 20 }, (_, index) => packed(20 + index, '/Subtype /Form', '/G Do '.repeat(10)));
    expect(bytesOf(...pages, ...nested)).toBeNull();
    expect(bytesOf(...pages, '7 0 obj << /Subtype /Form >> % \nstream\nx\nendstream endobj')).toBeNull();
  });

  it('does not include the texts of annotations', () => {
    expect(bytesOf(tree('1 0 R'), '3 0 obj << /Subtype /Text /Contents (A note) >> endobj\n')).toBe(0);
  });
});

describe("the text that a PDF's fonts make of its content", () => {
  const factorOf = (...objects: string[]) =>
    new PdfReader().sizeOf(pdf(tree('1 0 R'), page(1), packed(9, '', TEXT), ...objects))?.charactersPerByte ?? null;
  const font = '5 0 obj << /Type /Font /ToUnicode 6 0 R >> endobj\n';
  const map = (meaning: string) => `1 beginbfchar\n<01> <${meaning}>\nendbfchar`;

  it('is at most a character for each byte without maps, and with maps of single characters', () => {
    expect(factorOf()).toBe(1);
    expect(factorOf(font, packed(6, '', map('0041')))).toBe(1);
  });

  it.each<[string, string]>([
    ['packed', packed(6, '', map('0041'.repeat(500)))],
    ['plain', stream(6, '', map('0041 '.repeat(500)))],
  ])('grows with the longest text of a code in a %s map', (_what, stored) => {
    expect(factorOf(font, stored)).toBe(500);
    expect(factorOf(font.replace('ToUnicode', 'To#55nicode'), stored)).toBe(500);
    expect(factorOf(packed(8, '/Type /ObjStm', font), stored)).toBe(500);
  });

  it('grows with the text whatever is between its digits', () => {
    expect(factorOf(font, packed(6, '', map('0041\0'.repeat(500))))).toBe(500);
  });

  it('is unknown for a map that cannot be read or found', () => {
    expect(factorOf(font, stream(6, '/Filter /LZWDecode', 'x'))).toBeNull();
    expect(factorOf(font.replace('6 0 R', '%\n6 0 R'), packed(6, '', map('0041')))).toBeNull();
    expect(factorOf(font.replace('6 0 R', '\0 6 0 R'), packed(6, '', map('0041')))).toBeNull();
  });

  it('is unknown if content can name texts that stand for it', () => {
    const resources = '7 0 obj << /Properties << /P 8 0 R >> >> endobj\n';
    const text = '8 0 obj << /ActualText (a long text) >> endobj\n';
    expect([factorOf(resources), factorOf(text)]).toEqual([1, 1]);
    expect(factorOf(resources, packed(5, '/Type /ObjStm', text))).toBeNull();
  });
});

describe("a PDF's pages", () => {
  it('are counted by its tree, whatever its count says and whether they share a stream', () => {
    expect(pdfPages(pdf(tree(references(3)), page(10), page(11), page(12), stream(9, '', 'BT ET')))).toBe(3);
    expect(pdfPages(pdf(tree(references(700))))).toBe(700);
    expect(pdfPages(`data:application/pdf;base64,${pdf(tree(references(2)))}`)).toBe(2);
  });

  it('are counted in compressed object streams', () => {
    expect(pdfPages(withObjectStream(`10 0 11 40 << /Type/Pages/Kids[${references(40)}]/Count 1 >>`))).toBe(40);
  });

  it('are counted in compressed object streams without a type', () => {
    const objects = packed(5, '/N 1 /First 5', `10 0 /Kids[${references(40)}]`);
    expect(pdfPages(pdf('8 0 obj << /Kids [9 0 R] >> endobj\n', objects))).toBe(41);
  });

  it.each<[string, string]>([
    ['a comment', '% \n'],
    ['several comments', '%a\n%b\n\n'],
    ['a long comment', `%${'a'.repeat(3000)}\n`],
    ['a space that is U+0000', '\0'],
  ])('do not leave out an object stream without a type behind %s', (_what, space) => {
    const objects = packed(5, '/N 1 /First 5', `10 0 /Kids[${references(40)}]`).replace('>>\n', () => `>>${space}`);
    expect(pdfPages(pdf('8 0 obj << /Kids [9 0 R] >> endobj\n', objects))).toBe(space === '\0' ? 41 : null);
  });

  it('are counted if names are encoded', () => {
    expect(pdfPages(pdf('2 0 obj << /T#79pe /P#61ges /K#69ds [1 0 R 3 0 R] >>'))).toBe(2);
  });

  it.each<[string, string]>([
    ['no PDF', base64('Hello')],
    ['an empty file', ''],
    ['base64 that goes on after its end', `${pdf(tree('10 0 R')).slice(0, -4)}=${pdf(tree('11 0 R'))}`],
    ['base64 of another alphabet', pdf(tree('10 0 R')).replace(/^(.{40})/, '$1-_')],
    ['a tree that is elsewhere', pdf('2 0 obj << /Type /Pages /Kids 8 0 R >>')],
    ['a page that occurs twice', pdf(tree('10 0 R 10 0 R'))],
    ['a branch that occurs twice', pdf(tree('3 0 R'), '4 0 obj << /Kids [3 0 R] >>')],
    ['an encrypted file', pdf(tree('10 0 R'), 'trailer << /Encrypt 7 0 R >>')],
    [
      'object streams that are packed twice',
      pdf(stream(5, '/Type /ObjStm /Filter [/FlateDecode /FlateDecode]', TWICE)),
    ],
    [
      'object streams that are packed twice by another name',
      pdf(tree('1 0 R'), stream(5, '/Type /ObjStm /Filter/FlateDecode /F /Fl', TWICE)),
    ],
    [
      'object streams with a header within a text',
      pdf(tree('1 0 R'), packed(5, '/Type /ObjStm /X (\n1 0 obj <<)', '/Kids [2 0 R]')),
    ],
    [
      'object streams within one that begins in a text',
      pdf(tree('1 0 R'), '3 0 obj (\n7 0 obj << >>\nstream\n) endobj\n', packed(5, '/First 5', '9 0 /Kids [2 0 R]')),
    ],
    ['contents that are packed in another way', pdf(tree('1 0 R'), page(1), stream(9, '/Filter /LZWDecode', 'x'))],
    ['contents that are elsewhere', pdf(tree('1 0 R'), page(1), '9 0 obj [8 0 R 8 0 R] endobj')],
    ['object streams with a predictor', withObjectStream('/Kids [1 0 R]', '/DecodeParms << /Predictor 12 >>')],
    [
      'object streams that are broken',
      base64('%PDF-1.7\n5 0 obj << /Type /ObjStm /Filter /FlateDecode >>\nstream\nxx'),
    ],
    ['no tree', pdf(page(3))],
  ])('cannot be counted in %s', (_what, data) => {
    expect(pdfPages(data)).toBeNull();
  });

  it.each<[string, string]>([
    ['one endless number', `/Kids [${'1'.repeat(6_000_000)}]`],
    ['endless numbers', `/Kids [${'1 '.repeat(3_000_000)}]`],
    ['endless references', `/Kids [${references(300_000)}]`],
    ['many open lists', '/Kids ['.repeat(800_000)],
    ['many lists', '/Kids [] '.repeat(600_000)],
    ['spaces after types', `/Type${' '.repeat(2000)}`.repeat(3000)],
    ['many pages', '/Type /Page '.repeat(500_000)],
    ['streams without an end', `/ObjStm ${' '.repeat(5000)}${'stream\n'.repeat(800_000)}`],
    ['many streams', `/ObjStm ${' '.repeat(5000)}${'obj stream\nendstream '.repeat(300_000)}`],
    ['many object streams', '5 0 obj << /ObjStm /FlateDecode >> stream\nx endstream '.repeat(100_000)],
    ['many slashes', '/'.repeat(11_000_000)],
    ['many types', '/Type '.repeat(1_800_000)],
    ['many texts', '/Contents ('.repeat(1_000_000)],
    ['many texts that mention streams', 'stream '.repeat(1_000_000)],
  ])('hold the process for no longer than other documents: %s', async (_what, objects) => {
    const data = pdf(objects);
    const ms = await coreMsOf(() => expect(pdfPages(data)).toBeNull());
    expect(ms).toBeLessThan(500);
  });

  it('hold the process no longer for encoded names in the dictionaries of many streams', async () => {
    const data = pdf(`1 0 obj <<${'#41'.repeat(600)}>>stream\nendstream `.repeat(4500));
    const plain = pdf(`1 0 obj <<${'AAA'.repeat(600)}>>stream\nendstream `.repeat(4500));
    const ms = await coreMsOf(() => expect(pdfPages(plain)).toBeNull());
    expect(await coreMsOf(() => expect(pdfPages(data)).toBeNull())).toBeLessThan(Math.max(100, 3 * ms));
  });

  it.each<[string, string]>([
    ['spaces', withObjectStream(' '.repeat(60_000_000))],
    ['slashes', withObjectStream('/'.repeat(8_000_000))],
    ['names', withObjectStream('/T'.repeat(4_000_000))],
    ['types', withObjectStream('/Type /Pag '.repeat(700_000))],
    ['lists', withObjectStream('/Kids [] '.repeat(900_000))],
    ['streams', pdf(tree('1 0 R'), packed(9, '/Type /ObjStm', ' ').repeat(4000))],
    ['drawings', pdf(tree('1 0 R'), page(1), packed(9, '', 'Do '.repeat(2_500_000)))],
    ['escapes', pdf(tree('1 0 R'), page(1), packed(9, '', `(${'\\1'.repeat(4_000_000)})`))],
    ['texts', pdf(tree('1 0 R'), page(1), packed(9, '', '(<>)'.repeat(2_000_000)))],
  ])('hold the process no longer in many small documents that grow: %s', async (_what, data) => {
    const reader = new PdfReader(true);
    const ms = await coreMsOf(() => {
      for (let file = 0; file < 20; file++) reader.sizeOf(data);
    });
    expect(ms).toBeLessThan(1500);
  });
});
