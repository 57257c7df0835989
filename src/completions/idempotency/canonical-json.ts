/** Long strings are written in pieces of this many units. */
const PIECE = 128 * 1024;
/** Objects list integer keys first, in numeric order. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const MAX_INDEX = 2 ** 32 - 2;

/** Writes a parsed JSON value in pieces. Equal values have the same text, independent of the order of their keys. */
export function* canonicalJson(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* stringPieces(value);
  else if (typeof value !== 'object' || value === null) yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* listPieces(value);
  else yield* objectPieces(value as Readonly<Record<string, unknown>>);
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  yield '[';
  for (const [index, item] of list.entries()) {
    if (index > 0) yield ',';
    yield* canonicalJson(item);
  }
  yield ']';
}

function* objectPieces(object: Readonly<Record<string, unknown>>): Generator<string> {
  yield '{';
  let isFirst = true;
  for (const name of sortedNames(object)) {
    yield `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
    isFirst = false;
    yield* canonicalJson(object[name]);
  }
  yield '}';
}

function* stringPieces(text: string): Generator<string> {
  if (text.length <= PIECE) {
    yield JSON.stringify(text);
    return;
  }
  yield '"';
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from + PIECE);
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
  yield '"';
}

/** Never splits a surrogate pair. */
function endOfPiece(text: string, to: number): number {
  const isBetween = to < text.length && (text.charCodeAt(to) & 0xfc00) === 0xdc00;
  return isBetween ? to - 1 : to;
}

/** Integer keys by number, then the others by UTF-16 units. */
function sortedNames(object: object): string[] {
  const names = Object.keys(object).sort();
  if (!names.some(isIndex)) return names;
  const indexes = names.filter(isIndex).sort((a, b) => Number(a) - Number(b));
  return [...indexes, ...names.filter((name) => !isIndex(name))];
}

function isIndex(name: string): boolean {
  return INDEX.test(name) && Number(name) <= MAX_INDEX;
}
