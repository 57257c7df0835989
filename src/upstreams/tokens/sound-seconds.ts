/** Where a RIFF/WAVE head has its bytes a second, and where its samples begin. */
const BYTE_RATE_AT = 28;
const HEAD_BYTES = 44;
/** Of compressed sound: 32 kbit/s, so that no sound of today is taken for shorter than it is. */
const LEAST_BYTES_PER_SECOND = 4000;
const CHARACTERS_PER_BYTE = 4 / 3;

/** How long sound in base64 lasts, in seconds: what the head of a WAV file says, else an upper bound by its size. */
export function soundSeconds(data: string): number {
  const bytes = data.length / CHARACTERS_PER_BYTE;
  const head = Buffer.from(data.slice(0, Math.ceil(HEAD_BYTES * CHARACTERS_PER_BYTE)), 'base64');
  const isWave =
    head.length >= HEAD_BYTES && head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE';
  const rate = isWave ? head.readUInt32LE(BYTE_RATE_AT) : LEAST_BYTES_PER_SECOND;
  // A head that names a faster rate than any sound has is not believed.
  return bytes / Math.min(Math.max(rate, LEAST_BYTES_PER_SECOND), MOST_BYTES_PER_SECOND);
}

/** 192 kHz, two channels, 32 bits. */
const MOST_BYTES_PER_SECOND = 1_536_000;
