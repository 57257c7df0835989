import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { ROOT } from './shared-recordings.js';

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

const ID = 'https://openai.example/openapi';
const document: { components: { schemas: Readonly<Record<string, Schema>> } } = parse(
  readFileSync(join(ROOT, '../shared/openai-openapi.yaml'), 'utf8'),
  { maxAliasCount: -1 },
);
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema({ ...document, $id: ID });
const compiled = new Map<string, ValidateFunction>();

/** Events of the Responses API by their type. */
const EVENTS = new Map(
  Object.entries(document.components.schemas).flatMap(([name, { properties }]) => {
    const [type] = properties?.type?.enum ?? [];
    return type !== undefined && /^Response.*Event$/.test(name) ? [[type, name] as const] : [];
  }),
);

/** Violations of the schema in OpenAI's published document, one line each. */
export function documentFaults(schema: string, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile({ $ref: `${ID}#/components/schemas/${schema}` });
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${schema}${instancePath} ${message}`);
}

export function eventFaults(event: { readonly type: string }): string[] {
  const schema = EVENTS.get(event.type);
  return schema === undefined ? [`There is no event ${event.type}.`] : documentFaults(schema, event);
}
