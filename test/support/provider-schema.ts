import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

/**
 * The request schemas that providers publish; `$comment` names source and licence. Unknown fields are errors, since
 * these APIs refuse them.
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

/** Violations of the published types, one line each. */
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
