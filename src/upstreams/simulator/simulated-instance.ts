import { runInNewContext } from 'node:vm';
import { generateSync, type JsonSchema } from 'json-schema-faker';
import { invalidRequest } from '../../common/gateway.error.js';
import { isObject, type JsonObject } from '../contract/json.js';

/** First with optional parts; if the result is too large, with required parts only. */
const WAYS = [
  { alwaysFakeOptionals: true, maxDefaultItems: 2 },
  { optionalsProbability: 0, maxDefaultItems: 1 },
];
const DEEPEST = 40;
const MAX_LENGTH = 50_000;
/** A schema may require an unlimited amount of time and memory. */
const LIMIT_MS = 250;

const TEXT = 'simulated';

/** Valid JSON for a schema, deterministic by seed; throws a 400 naming `param` if there is none. */
export function instanceOf(schema: JsonObject, seed: number, param: string): string {
  const plain = withPlainTexts(schema) as JsonSchema;
  for (const way of WAYS) {
    const text = withinLimits(() => JSON.stringify(generateSync(plain, { ...way, seed, maxDepth: DEEPEST })));
    if (text !== undefined && text.length <= MAX_LENGTH) return text;
  }
  const message =
    'The simulator cannot create an answer that matches this schema. Simplify the schema, or set the key of an upstream.';
  throw invalidRequest('unsupported_value', param, message);
}

/** Undefined on failure or timeout: V8 terminates it. */
function withinLimits(make: () => string | undefined): string | undefined {
  try {
    return runInNewContext('make()', { make }, { timeout: LIMIT_MS });
  } catch {
    return undefined;
  }
}

/** Replaces random letters with a fixed text if any string is valid. */
function withPlainTexts(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  if (isFreeText(schema)) return { ...schema, const: TEXT };
  const changed = Object.entries(schema).map(([keyword, value]) => [keyword, changedKeyword(keyword, value, schema)]);
  return Object.fromEntries(changed);
}

function changedKeyword(keyword: string, value: unknown, { uniqueItems }: JsonObject): unknown {
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withPlainTexts(inner)]));
  }
  // Definitions may be used by several schemas.
  if ((keyword === '$defs' || keyword === 'definitions') && isObject(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([name, inner]) => [name, isObject(inner) && isFreeText(inner) ? inner : withPlainTexts(inner)]),
    );
  }
  if (keyword === 'items' && uniqueItems !== true) return withPlainTexts(value);
  return (keyword === 'anyOf' || keyword === 'prefixItems') && Array.isArray(value) ? value.map(withPlainTexts) : value;
}

const NOTES = new Set(['type', 'title', 'description']);

function isFreeText(schema: JsonObject): boolean {
  return schema.type === 'string' && Object.keys(schema).every((keyword) => NOTES.has(keyword));
}
