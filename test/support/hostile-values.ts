/** Names with a meaning to JavaScript objects, which must have none for the gateway. */
export const SPECIAL_NAMES = ['__proto__', 'constructor', 'prototype'] as const;

/** Replacements for texts: the names, and paths over them. */
const HOSTILE_TEXTS = [
  ...SPECIAL_NAMES,
  '$.a.__proto__.polluted',
  "$['constructor']['prototype']['polluted']",
  '{"__proto__":{"polluted":true}}',
];

const BAIT = '{"a":{},"polluted":true,"__proto__":{"polluted":true},"prototype":{"polluted":true}}';

/** JSON text whose objects all have the special names as further keys. */
export function withSpecialKeys(json: string): string {
  return JSON.stringify(strewn(JSON.parse(json)));
}

function strewn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strewn);
  if (!isRecord(value)) return value;
  const baits = ['a', ...SPECIAL_NAMES].map((name) => [name, JSON.parse(BAIT)]);
  return Object.fromEntries([...baits, ...Object.entries(value).map(([key, inner]) => [key, strewn(inner)])]);
}

/**
 * JSON text with one text or key replaced by a hostile value, once for each place; `seen`: places already replaced,
 * without positions in lists.
 */
export function* hostileVariants(json: string, seen: Set<string>): Generator<string> {
  for (const place of placesIn(JSON.parse(json), '', seen)) {
    for (const text of place.isKey ? SPECIAL_NAMES : HOSTILE_TEXTS) {
      const copy: unknown = JSON.parse(json);
      yield JSON.stringify(place.replace(copy, text));
    }
  }
}

interface Place {
  readonly isKey: boolean;
  /** Changes a copy of the value. */
  replace(copy: unknown, text: string): unknown;
}

function* placesIn(value: unknown, path: string, seen: Set<string>): Generator<Place> {
  if (typeof value === 'string' && isNew(`${path}=`, seen)) {
    yield { isKey: false, replace: (_copy, text) => text };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* within(placesIn(item, `${path}[]`, seen), (list: unknown[], change) =>
        list.with(index, change(list[index])),
      );
    }
  } else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (isNew(`${path}.${key}`, seen)) yield { isKey: true, replace: (copy, name) => renamed(copy, key, name) };
      yield* within(placesIn(inner, `${path}.${key}`, seen), (object: Record<string, unknown>, change) =>
        Object.fromEntries(Object.entries(object).map(([name, one]) => [name, name === key ? change(one) : one])),
      );
    }
  }
}

/** Maps places of an inner value to places of the outer one. */
function* within<Outer>(
  places: Iterable<Place>,
  rebuild: (outer: Outer, change: (inner: unknown) => unknown) => unknown,
): Generator<Place> {
  for (const { isKey, replace } of places) {
    yield { isKey, replace: (copy, text) => rebuild(copy as Outer, (inner) => replace(inner, text)) };
  }
}

function renamed(object: unknown, key: string, name: string): unknown {
  return Object.fromEntries(Object.entries(object as object).map(([one, value]) => [one === key ? name : one, value]));
}

function isNew(place: string, seen: Set<string>): boolean {
  const isFirst = !seen.has(place);
  seen.add(place);
  return isFirst;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All properties of the prototypes, to compare with those before. */
export function prototypeKeys(): string[] {
  const holders: object[] = [Object, Function, Array, String, Number, Boolean, Map].flatMap((type) => [
    type,
    type.prototype,
  ]);
  return holders.flatMap((holder) => Reflect.ownKeys(holder).map(String));
}

/** The paths of objects with a prototype that JSON cannot create. */
export function strangePrototypes(value: unknown, path = '$'): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || prototype === (Array.isArray(value) ? Array.prototype : Object.prototype);
  const inner = Object.entries(value).flatMap(([key, one]) => strangePrototypes(one, `${path}.${key}`));
  return isPlain ? inner : [path, ...inner];
}
