import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringifyInTurns } from '../../json/json-in-turns.js';
import { rawJsonOf } from '../../json/raw-json.js';
import type { JsonObject } from '../contract/json.js';

/** Serializes a body. Unchanged lists, such as messages with images, are sent as the bytes from the caller. */
export function sentJson(body: JsonObject): string | Buffer {
  const raws = rawsOf(body);
  return raws === null ? JSON.stringify(body) : spliced(body, raws, JSON.stringify(withoutRaws(body, raws)));
}

/** Serializes megabytes in several turns of the event loop. */
export async function sentJsonInTurns(body: JsonObject): Promise<Buffer> {
  const raws = rawsOf(body);
  if (raws === null) return stringifyInTurns(body, nextTurn);
  const others = await stringifyInTurns(withoutRaws(body, raws), nextTurn);
  return spliced(body, raws, others);
}

function rawsOf(body: JsonObject): Map<string, Buffer> | null {
  let raws: Map<string, Buffer> | null = null;
  for (const name in body) {
    const raw = rawJsonOf(body[name]);
    if (!raw) continue;
    raws ??= new Map();
    raws.set(name, raw);
  }
  return raws;
}

function withoutRaws(body: JsonObject, raws: ReadonlyMap<string, Buffer>): JsonObject {
  const others: JsonObject = {};
  for (const name in body) if (!raws.has(name)) others[name] = body[name];
  return others;
}

/** `others`: the JSON object of all fields that are not raw. */
function spliced(body: JsonObject, raws: ReadonlyMap<string, Buffer>, others: string | Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (const name in body) {
    const raw = raws.get(name);
    if (raw) pieces.push(Buffer.from(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`), raw);
  }
  const rest = typeof others === 'string' ? Buffer.from(others) : others;
  if (rest.length > 2) pieces.push(Buffer.from(','));
  pieces.push(rest.subarray(1));
  return Buffer.concat(pieces);
}
