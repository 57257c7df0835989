const CHARACTERS_PER_BYTE = 4 / 3;
/** Of a JPEG, whose size follows other segments, such as a preview. */
const HEAD_BYTES = 256 * 1024;
const COMMA_WITHIN = 256;

/** The number of pixels of a picture, as base64 or a data URL; null: its format is unknown. */
export function pixelsOf(data: string): number | null {
  const start = data.slice(0, COMMA_WITHIN).indexOf(',') + 1;
  const most = start + Math.ceil(HEAD_BYTES * CHARACTERS_PER_BYTE);
  const bytes = Buffer.from(data.slice(start, most), 'base64');
  try {
    const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes);
    return (size && size.width * size.height) || null;
  } catch {
    return null;
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function pngSize(bytes: Buffer): Size | null {
  if (!hasText(bytes, 1, 'PNG') || !hasText(bytes, 12, 'IHDR')) return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Readers make the screen as large as its first picture. */
function gifSize(bytes: Buffer): Size | null {
  if (!hasText(bytes, 0, 'GIF8')) return null;
  const screen = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const flags = bytes.readUInt8(10);
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (bytes.readUInt8(at) === 0x21) {
    for (at += 2; bytes.readUInt8(at) > 0; ) at += 1 + bytes.readUInt8(at);
    at += 1;
  }
  if (bytes.readUInt8(at) !== 0x2c) return null;
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => bytes.readUInt16LE(at + offset)) as Numbers;
  return { width: Math.max(screen.width, left + width), height: Math.max(screen.height, top + height) };
}

type Numbers = [number, number, number, number];

/** A lossy, a lossless or an extended file. */
function webpSize(bytes: Buffer): Size | null {
  if (!hasText(bytes, 0, 'RIFF') || !hasText(bytes, 8, 'WEBP')) return null;
  if (hasText(bytes, 12, 'VP8X')) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (hasText(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (!hasText(bytes, 12, 'VP8 ')) return null;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

const START_OF_IMAGE = 0xffd8;
/** Segments from C0 to CF hold the size of the picture, except tables and extensions. */
const WITHOUT_SIZE: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

function jpegSize(bytes: Buffer): Size | null {
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== START_OF_IMAGE) return null;
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && !WITHOUT_SIZE.has(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    } else if (hasLength(marker)) at += 2 + bytes.readUInt16BE(at + 2);
    else return null;
  }
  return null;
}

/** Readers skip others in ways of their own. */
function hasLength(marker: number): boolean {
  return marker >= 0xc0 && !(marker >= 0xd0 && marker <= 0xd9);
}

function hasText(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}
