import { rawJsonOf } from '../../common/raw-json.js';
import type { JsonObject } from '../contract/json.js';

/**
 * The JSON of a body. Long lists of the caller's that go on unchanged, such as messages with images, are not serialised:
 * they go on as they came.
 */
export function sentJson(body: JsonObject): string | Buffer {
  let raws: Map<string, Buffer> | null = null;
  for (const name in body) {
    const raw = rawJsonOf(body[name]);
    if (!raw) continue;
    raws ??= new Map();
    raws.set(name, raw);
  }
  return raws === null ? JSON.stringify(body) : spliced(body, raws);
}

function spliced(body: JsonObject, raws: ReadonlyMap<string, Buffer>): Buffer {
  const pieces: Buffer[] = [];
  const others: JsonObject = {};
  for (const name in body) {
    const raw = raws.get(name);
    if (raw) pieces.push(Buffer.from(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`), raw);
    else others[name] = body[name];
  }
  const rest = JSON.stringify(others);
  pieces.push(Buffer.from(rest === '{}' ? '}' : `,${rest.slice(1)}`));
  return Buffer.concat(pieces);
}
