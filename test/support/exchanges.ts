import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request to an upstream, if known, and the bytes of its answer, from a fixture or a recording. */
export interface Exchange {
  readonly file: string;
  readonly url: string | null;
  readonly request: Record<string, unknown> | null;
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Text of a stream, else parsed JSON. */
  readonly body: unknown;
  readonly stream: string | null;
  /** The encoding of `stream`; `latin1`: binary, one character for each byte. */
  readonly encoding: 'utf8' | 'latin1';
}

/** A `.json` file holds an exchange or only the body of an answer; a `.chunks.txt` file one event's JSON a line. */
export function readExchange(folder: string, file: string): Exchange {
  const text = readFileSync(join(folder, file), 'utf8');
  if (file.endsWith('.chunks.txt')) {
    const events = text.split('\n').filter((line) => line.trim() !== '');
    const stream = [...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join('');
    return { file, url: null, request: null, status: 200, headers: {}, body: stream, stream, encoding: 'utf8' };
  }
  const content = JSON.parse(text);
  if (content.response === undefined) {
    const status = content.error ? 400 : 200;
    return { file, url: null, request: null, status, headers: {}, body: content, stream: null, encoding: 'utf8' };
  }
  const { request, response } = content;
  const isStream = typeof response.body === 'string' && /^\s*(?:data|event):/m.test(response.body);
  const isBinary = response.headers?.['content-type'] === 'application/vnd.amazon.eventstream';
  const binary = isBinary ? Buffer.from(response.body, 'base64').toString('latin1') : null;
  return {
    file,
    url: request.url,
    request: request.body,
    status: response.status,
    headers: response.headers ?? {},
    body: response.body,
    stream: binary ?? (isStream ? response.body : null),
    encoding: isBinary ? 'latin1' : 'utf8',
  };
}

/** The cuts at which a stream is replayed: every offset of a short one, 200 seeded ones of a long one. */
export function cutsOf(bytes: Buffer): Buffer[][] {
  if (bytes.length <= 4096) return Array.from({ length: bytes.length - 1 }, (_, at) => cutAt(bytes, at + 1));
  return [
    singleBytes(bytes),
    ...Array.from({ length: 200 }, (_, seed) => cutAt(bytes, 1 + seededOffset(seed, bytes.length - 1))),
  ];
}

export function singleBytes(bytes: Buffer): Buffer[] {
  return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
}

function cutAt(bytes: Buffer, at: number): Buffer[] {
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

/** Deterministic offsets, spread by multiplication with 2³² divided by the golden ratio. */
function seededOffset(seed: number, below: number): number {
  return (Math.imul(seed + 1, 0x9e3779b1) >>> 0) % below;
}
