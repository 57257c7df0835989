import { rawJsonOf } from '../../common/raw-json.js';
import type { JsonObject } from '../contract/json.js';

/**
 * The JSON of a body. Long lists of the caller's that go on unchanged, such as messages with images, are not serialised:
 * they go on as they came.
 */
export function sentJson(body: JsonObject): string | Buffer {
  const pieces: Buffer[] = [];
  const others: JsonObject = {};
  for (const name in body) {
    const raw = rawJsonOf(body[name]);
    if (raw) pieces.push(Buffer.from(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`), raw);
    else others[name] = body[name];
  }
  if (pieces.length === 0) return JSON.stringify(body);
  const rest = JSON.stringify(others);
  pieces.push(Buffer.from(rest === '{}' ? '}' : `,${rest.slice(1)}`));
  return Buffer.concat(pieces);
}
