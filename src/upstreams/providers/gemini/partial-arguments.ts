import { isObject, type JsonObject } from '../../contract/json.js';

type Container = JsonObject | unknown[];

/** Assembles streamed arguments of a call, each with its path: `$.orders[0].name`. */
export class PartialArguments {
  private readonly root: JsonObject;

  constructor(first: unknown) {
    this.root = isObject(first) ? first : {};
  }

  add(pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces) if (isObject(piece)) this.put(piece);
  }

  toJson(): string {
    return JSON.stringify(this.root);
  }

  private put(piece: JsonObject): void {
    const steps = stepsOf(piece.jsonPath);
    const last = steps.pop();
    if (last === undefined) return;
    let container: Container = this.root;
    for (const [position, step] of steps.entries()) {
      const next = steps[position + 1] ?? last;
      const inner = read(container, step);
      if (isObject(inner) || Array.isArray(inner)) container = inner;
      else container = write(container, step, typeof next === 'number' ? [] : {});
    }
    const value = pieceValue(piece);
    const before = read(container, last);
    // Pieces of one string arrive one after the other.
    write(container, last, typeof value === 'string' && typeof before === 'string' ? before + value : value);
  }
}

/** `$.a['b c'][0]` → `a`, `b c`, 0. */
function stepsOf(path: unknown): (string | number)[] {
  if (typeof path !== 'string') return [];
  const steps = path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/g);
  return Array.from(steps, ([, name, index, single, double]) =>
    index === undefined ? (name ?? (single ?? double ?? '').replace(/\\(.)/g, '$1')) : Number(index),
  );
}

function pieceValue({ stringValue, numberValue, boolValue }: JsonObject): unknown {
  return stringValue ?? numberValue ?? boolValue ?? null;
}

/** Reads own properties only, never the prototype's. */
function read(container: Container, step: string | number): unknown {
  if (Array.isArray(container)) return typeof step === 'number' ? container[step] : undefined;
  return Object.hasOwn(container, step) ? container[step] : undefined;
}

/** Lists grow by one entry at a time for any index. Keys are defined and not assigned, so that no key is special. */
function write<Value>(container: Container, step: string | number, value: Value): Value {
  if (Array.isArray(container)) container[Math.min(Number(step) || 0, container.length)] = value;
  else Object.defineProperty(container, step, { value, writable: true, enumerable: true, configurable: true });
  return value;
}
