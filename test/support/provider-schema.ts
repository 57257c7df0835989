import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

/**
 * What the body of a chat request may be, as each provider publishes it; every schema says in `$comment` where it comes
 * from and its licence. Fields that a type does not have are faults, since these APIs refuse them.
 */
export const SCHEMAS = [
  'anthropic',
  'bedrock',
  'cohere',
  'gemini',
  'groq',
  'mistral',
  'openai-responses',
  'perplexity',
  'together',
  'vertex',
] as const;
export type PublishedSchema = (typeof SCHEMAS)[number];

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const compiled = new Map<PublishedSchema, ValidateFunction>();

/** What breaks the published types in a body, one line each; empty when it is valid. */
export function bodyFaults(schema: PublishedSchema, body: unknown): string[] {
  const validate = compiled.get(schema) ?? compile(schema);
  return validate(body) ? [] : (validate.errors ?? []).map(faultOf);
}

function compile(schema: PublishedSchema): ValidateFunction {
  const file = new URL(`./schemas/${schema}.schema.json`, import.meta.url);
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  compiled.set(schema, validate);
  return validate;
}

function faultOf({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
}
