/** Offsets of the byte rate and of the samples in a RIFF/WAVE header. */
const BYTE_RATE_AT = 28;
const HEAD_BYTES = 44;
/** Compressed audio: 32 kbit/s, so that durations are not underestimated. */
const MIN_BYTES_PER_SECOND = 4000;
const CHARACTERS_PER_BYTE = 4 / 3;

/** The duration of base64 audio in seconds: from a WAV header, else an upper bound from its size. */
export function audioSeconds(data: string): number {
  const bytes = data.length / CHARACTERS_PER_BYTE;
  const head = Buffer.from(data.slice(0, Math.ceil(HEAD_BYTES * CHARACTERS_PER_BYTE)), 'base64');
  const isWave =
    head.length >= HEAD_BYTES && head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE';
  const rate = isWave ? head.readUInt32LE(BYTE_RATE_AT) : MIN_BYTES_PER_SECOND;
  // Implausible byte rates are capped.
  return bytes / Math.min(Math.max(rate, MIN_BYTES_PER_SECOND), MAX_BYTES_PER_SECOND);
}

/** 192 kHz, two channels, 32 bits. */
const MAX_BYTES_PER_SECOND = 1_536_000;
