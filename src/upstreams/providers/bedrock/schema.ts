import { isObject, type JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { claudeAnswerTool, claudeFormat, enforcesSchemas, JSON_INSTRUCTION } from '../shared/claude.js';
import { unsupported } from '../shared/ignored-fields.js';
import { type AnswerTool, answerTool as answerToolOf } from '../shared/requested-tools.js';

/** Keywords without meaning for the model. */
const NOTES = new Set(['$schema', '$id', '$comment', 'title', 'description', '$defs', 'definitions']);
/** Of a schema's own size: more would let small requests become large ones. */
export const MAX_GROWTH = 4;
/** As deep as the JSON of a body may be; references can make it deeper, and would exhaust the stack. */
const MAX_DEPTH = 1000;

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
  /** Bytes that may still be written. */
  private left: number;
  private readonly open: string[] = [];
  private depth = 0;

  constructor(
    private readonly root: JsonObject,
    private readonly field: string,
  ) {
    this.left = sizeOf(root) * MAX_GROWTH;
  }

  /** Inlines references; throws for recursive schemas, and for those that would grow too much. */
  writtenOut(part: unknown): unknown {
    if (++this.depth > MAX_DEPTH) throw this.unsupported();
    const written = this.withoutReferences(part);
    this.depth--;
    return written;
  }

  private withoutReferences(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((item) => this.writtenOut(item));
    if (!isObject(part)) {
      this.write(part);
      return part;
    }
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
    const entries = Object.entries(part).map(([keyword, value]) => {
      this.write(keyword);
      return [keyword, this.writtenOut(value)];
    });
    return Object.fromEntries(entries);
  }

  private write(value: unknown): void {
    this.left -= sizeOf(value);
    if (this.left < 0) throw this.unsupported();
  }

  private definition(reference: string): unknown {
    if (reference === '#') return this.root;
    const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/(.+)$/.exec(reference) ?? [];
    const named = this.root[group];
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(named) && Object.hasOwn(named, key) ? named[key] : undefined;
  }

  private unsupported(): Error {
    const message =
      'This model does not accept schemas that are recursive, or more than four times as large or 1,000 levels deep once references are resolved.';
    return unsupported(this.field, message);
  }
}

/** Bytes of its texts and names, and one for each other value. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), 0);
  if (!isObject(value)) return 1;
  return Object.entries(value).reduce((sum, [name, item]) => sum + sizeOf(name) + sizeOf(item), 0);
}

/** A part of a URI; as it is if it is not encoded correctly. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** An instruction to answer in JSON, if nothing else requests it. */
export function jsonInstruction(call: ProviderCall): string | undefined {
  const { response_format: format } = call.request;
  if (!format || format.type === 'text') return undefined;
  return format.type === 'json_schema' && format.json_schema.schema ? undefined : JSON_INSTRUCTION;
}

/** For models that support structured outputs. */
export function outputConfig(call: ProviderCall): JsonObject | undefined {
  const { response_format: format } = call.request;
  if (format?.type !== 'json_schema' || !followsSchemas(call)) return undefined;
  const { name, description, schema } = format.json_schema;
  const supported = isStructuredClaude(call) ? claudeFormat(call)?.schema : schema;
  if (!supported) return undefined;
  const jsonSchema = { name, ...(description && { description }), schema: JSON.stringify(supported) };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}

/**
 * The answer tool, for models without structured outputs (Amazon's guide to Nova, "Using tool use for structured
 * output") and for schemas that Claude's structured outputs do not support.
 */
export function answerTool(call: ProviderCall): AnswerTool | undefined {
  if (modelFamily(call.upstreamModel) === 'anthropic') return claudeAnswerTool(call);
  return followsSchemas(call) ? undefined : answerToolOf(call);
}

/** Families without structured outputs (AWS's guide "Structured outputs", supported models). */
const WITHOUT_SCHEMAS = new Set(['amazon']);

/** Assumes that unknown models support schemas, as the API reports an error otherwise. */
function followsSchemas(call: ProviderCall): boolean {
  const family = modelFamily(call.upstreamModel);
  return family === 'anthropic' ? enforcesSchemas(call) : (call.traits.strictSchemas ?? !WITHOUT_SCHEMAS.has(family));
}

/** Strict tools are only known for Claude. */
export function strictness(call: ProviderCall): { tools: boolean; format: boolean } {
  return { tools: isStructuredClaude(call), format: followsSchemas(call) };
}

function isStructuredClaude(call: ProviderCall): boolean {
  return modelFamily(call.upstreamModel) === 'anthropic' && enforcesSchemas(call);
}

/** The vendor in a model id (`us.amazon.nova-lite-v1:0` → `amazon`) or in an ARN with such an id; '' if it has none. */
export function modelFamily(model: string): string {
  const id = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return /^(?:(?:us-gov|us|eu|apac|jp|au|ca|global)\.)?([a-z0-9-]+)\./.exec(id)?.[1] ?? '';
}
