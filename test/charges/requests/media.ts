import type { Random } from '../../support/random.js';

const NOISE = 256 * 1024;
let noise: Buffer | undefined;

/** A PNG file's head with 758 × 757 pixels, which cost 765 tokens. */
const IMAGE_HEAD = Buffer.from('89504e470d0a1a0a0000000d49484452000002f6000002f5', 'hex');

export function imagePart(random: Random): object {
  const data = Buffer.concat([IMAGE_HEAD, bytesOf(random, 2000 + random.below(30_000))]).toString('base64');
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } };
}

/** A WAV file of some seconds in one of the usual qualities. */
export function soundPart(random: Random): object {
  const rate = random.pick([8000, 16_000, 32_000]);
  const seconds = 1 + random.below(8);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + rate * seconds, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate / 2, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(rate * seconds, 40);
  const data = Buffer.concat([head, bytesOf(random, rate * seconds)]).toString('base64');
  return { type: 'input_audio', input_audio: { data, format: 'wav' } };
}

/** A PDF of some pages, from dense text to scans. */
export function filePart(random: Random): object {
  const pageSize = random.pick([6000, 12_000, 24_000, 48_000]);
  const count = 1 + random.below(6);
  const kids = Array.from({ length: count }, (_, page) => `${page + 4} 0 R`).join(' ');
  const tree = Buffer.from(`2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${count} >>\nendobj\n`);
  const pages = Array.from({ length: count }, (_, page) => [
    Buffer.from(`${page + 4} 0 obj\n<< /Type /Page\n/Parent 2 0 R >>\nstream\n`),
    bytesOf(random, pageSize),
    Buffer.from('\nendstream\nendobj\n'),
  ]);
  const data = Buffer.concat([Buffer.from('%PDF-1.7\n'), tree, ...pages.flat(), Buffer.from('%%EOF\n')]).toString(
    'base64',
  );
  return { type: 'file', file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${data}` } };
}

function bytesOf(random: Random, length: number): Buffer {
  noise ??= Buffer.from(Array.from({ length: NOISE }, () => random.below(256)));
  const at = random.below(NOISE);
  const bytes = Buffer.concat([noise.subarray(at), noise.subarray(0, at)]);
  return Buffer.concat(Array.from({ length: Math.ceil(length / NOISE) }, () => bytes)).subarray(0, length);
}
