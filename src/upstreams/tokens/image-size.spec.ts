import { describe, expect, it } from '@jest/globals';
import { pixelsOf } from './image-size.js';

const base64 = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  ).toString('base64');
const PREVIEW = [0xff, 0xe1, 0x00, 0x12, ...[0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1], ...Array<number>(7).fill(0)];
const GIF_HEAD = ['GIF89a', [0, 4, 0, 2, 0x80, 0, 0], [0, 0, 0, 0x2c, 0x2c, 0x2c]] as const;
const GIF_COMMENT = [0x21, 0xfe, 3, 0x61, 0x62, 0x63, 1, 0x2c, 0];
const TABLE = [0xff, 0xc4, 0x00, 0x04, 1, 2];

describe('the size of a picture', () => {
  it.each<[string, string]>([
    ['PNG', base64([0x89], 'PNG\r\n', [0x1a, 0x0a], [0, 0, 0, 13], 'IHDR', [0, 0, 4, 0], [0, 0, 2, 0])],
    ['GIF', base64(...GIF_HEAD, GIF_COMMENT, [0x2c, 0, 0, 0, 0, 0, 1, 0, 1, 0])],
    [
      'GIF whose first picture is larger than its screen',
      base64('GIF89a', [1, 0, 1, 0, 0, 0, 0], [0x2c, 0, 1, 0, 1, 0, 3, 0, 1]),
    ],
    ['JPEG after a preview and tables', base64([0xff, 0xd8], PREVIEW, TABLE, [0xff, 0xc2, 0, 11, 8, 2, 0, 4, 0])],
    ['lossy WebP', base64('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', Array<number>(10).fill(0), [0, 4, 0, 2])],
    ['extended WebP', base64('RIFF', [0, 0, 0, 0], 'WEBPVP8X', Array<number>(8).fill(0), [0xff, 3, 0, 0xff, 1, 0])],
  ])('is read from the head of a %s', (_, data) => {
    expect(pixelsOf(data)).toBe(1024 * 512);
    expect(pixelsOf(`data:image/x;base64,${data}`)).toBe(1024 * 512);
  });

  it('is that of lossless WebP, too', () => {
    const bits = Buffer.alloc(4);
    bits.writeUInt32LE(1023 | (511 << 14));
    expect(pixelsOf(base64('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f], [...bits]))).toBe(1024 * 512);
  });

  it.each<[string, number]>([
    ['one that restarts', 0xd0],
    ['none', 0],
    ['another beginning', 0xd8],
  ])('is unknown of a JPEG with a marker that readers skip in ways of their own: %s', (_, marker) => {
    const hidden = [0xff, 0xc0, 0, 11, 8, 16, 0, 16, 0, 3];
    const seen = [...Array<number>(0xffc0 - hidden.length).fill(0), 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1];
    expect(pixelsOf(base64([0xff, 0xd8, 0xff, marker], hidden, seen))).toBeNull();
  });

  it.each([
    '',
    'AAAA',
    base64([0xff, 0xd8, 0xff]),
    base64([0xff, 0xd8], TABLE),
    base64('GIF89a'),
    base64('RIFF'),
    base64('GIF89a', [0, 0, 0, 0, 0, 0, 0], [0x2c, ...Array<number>(9).fill(0)]),
  ])('is unknown of %j', (data) => {
    expect(pixelsOf(data)).toBeNull();
  });
});
