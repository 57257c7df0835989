/**
 * What the library's parser may see of expressions in requests. It assigns to what names inherit (`constructor.keys`
 * would change `Object.keys` for the whole process), and takes exponential time for a quotation mark that is not closed.
 */

const URN = 'urn:[\\w.:-]+:';
const NAME = '[a-z$][\\w$-]*';
const ATTRIBUTE = `${NAME}(?:\\.${NAME})?`;
const COMPARISON = `${ATTRIBUTE} (?:pr|(?:eq|ne|co|sw|ew|gt|ge|lt|le) (?:"[^"]*"|true|false|-?\\d{1,15}))`;
const LIST = new RegExp(`^ *(?:${URN})?${ATTRIBUTE} *(?:, *(?:${URN})?${ATTRIBUTE} *)*$`, 'i');
const PATH = new RegExp(
  `^(?:${URN})?${NAME}(?:\\[${COMPARISON}(?: (?:and|or) ${COMPARISON})*\\])?(?:\\.${ATTRIBUTE})?$`,
  'i',
);
const MAX_LENGTH = 2000;

/** Words of the parser, which fails when they stand for attributes. */
const RESERVED = new Set('true false null and or not eq ne co sw ew gt ge lt le pr np'.split(' '));

/** The value of `attributes` or `excludedAttributes`: names of attributes, separated by commas. */
export function isAttributeList(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !LIST.test(value)) return false;
  return namesIn(value).every((name) => !RESERVED.has(name.toLowerCase()) && isOwn(name));
}

/** The expression in the body of a PATCH that the parser must not see; null if there is none. */
export function unsafeExpression(body: unknown): string | null {
  const { Operations: operations } = (body ?? {}) as { Operations?: unknown };
  if (!Array.isArray(operations)) return null;
  for (const operation of operations) {
    const { op, path, value } = (operation ?? {}) as Readonly<Record<string, unknown>>;
    const isRemoval = typeof op === 'string' && op.toLowerCase() === 'remove';
    const paths = typeof path === 'string' ? [path] : keysOf(value);
    const unsafe = paths.find((one) => !isPath(one)) ?? (isRemoval ? unsafeIn(value) : undefined);
    if (unsafe !== undefined) return unsafe;
  }
  return null;
}

function isPath(text: string): boolean {
  return text.length <= MAX_LENGTH && PATH.test(text) && namesIn(text).every(isOwn);
}

/** Removed values become an expression: `key eq "value"`. */
function unsafeIn(value: unknown): string | undefined {
  return [value].flat().flatMap((item) => {
    const entries = Object.entries((typeof item === 'object' && item) || {});
    return entries.flatMap(([key, inner]) => {
      const isSafe = isPath(key) && !(typeof inner === 'string' && inner.includes('"'));
      return isSafe ? [] : [key];
    });
  })[0];
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}

function namesIn(text: string): string[] {
  return text.match(/[\w$-]+/g) ?? [];
}

/** The parser writes the first letter small. */
function isOwn(name: string): boolean {
  return !(`${name.charAt(0).toLowerCase()}${name.slice(1)}` in {});
}
