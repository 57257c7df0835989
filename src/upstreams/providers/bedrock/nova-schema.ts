import { isObject, type JsonObject } from '../../contract/json.js';
import { unsupported } from '../shared/unsupported.js';

/** Keywords without meaning for the model. */
const NOTES = new Set(['$schema', '$id', '$comment', 'title', 'description', '$defs', 'definitions']);
/** Far above any real schema; mutually referencing definitions would exceed it quickly. */
const MAX_VALUES = 20_000;

/**
 * A tool's input schema for Nova: "Only three fields are supported in top-level Object - type (must be set to
 * 'object'), properties, and required. Common unsupported fields at the top level are: $schema, description, title, and
 * additionalProperties" (docs.aws.amazon.com/nova). Definitions are inlined; other keywords of the outermost object go
 * to the model in `note`. `field`: for errors.
 */
export function novaSchema(schema: JsonObject, field: string): { json: JsonObject; note?: string } {
  const { properties = {}, required, type: _, ...others } = outermost(schema, new Definitions(schema, field));
  const unsupported = Object.entries(others)
    .filter(([keyword, value]) => !NOTES.has(keyword) && !(keyword === 'additionalProperties' && !isObject(value)))
    .map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`);
  const isNeeding = Array.isArray(required) && required.length > 0;
  const json = { type: 'object', properties, ...(isNeeding && { required }) };
  return unsupported.length > 0 ? { json, note: `{${unsupported.join(', ')}}` } : { json };
}

function outermost({ $defs: _, definitions: __, ...schema }: JsonObject, definitions: Definitions): JsonObject {
  return definitions.writtenOut(schema) as JsonObject;
}

class Definitions {
  private values = 0;
  private readonly open: string[] = [];

  constructor(
    private readonly root: JsonObject,
    private readonly field: string,
  ) {}

  /** Inlines references; throws for recursive or excessive schemas. */
  writtenOut(part: unknown): unknown {
    if (++this.values > MAX_VALUES) throw this.unsupported();
    if (Array.isArray(part)) return part.map((item) => this.writtenOut(item));
    if (!isObject(part)) return part;
    const { $ref: reference, ...beside } = part;
    const definition = typeof reference === 'string' ? this.definition(reference) : undefined;
    if (typeof reference !== 'string' || definition === undefined) return this.each(part);
    if (this.open.includes(reference)) throw this.unsupported();
    this.open.push(reference);
    const written = this.writtenOut(definition);
    this.open.pop();
    return isObject(written) ? { ...written, ...this.each(beside) } : written;
  }

  private each(part: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(part).map(([keyword, value]) => [keyword, this.writtenOut(value)]));
  }

  private definition(reference: string): unknown {
    if (reference === '#') return this.root;
    const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/(.+)$/.exec(reference) ?? [];
    const named = this.root[group];
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(named) && Object.hasOwn(named, key) ? named[key] : undefined;
  }

  private unsupported(): Error {
    const message = 'This model does not accept schemas that are recursive, or too large once references are resolved.';
    return unsupported(this.field, message);
  }
}
