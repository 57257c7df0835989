import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

interface Definition {
  $ref?: string;
  allOf?: Definition[];
  properties?: Record<string, unknown>;
}

/**
 * The chat part of OpenAI's published OpenAPI document (github.com/openai/openai-openapi, MIT licence), as JSON Schema
 * 2020-12. Formats (`uri`, `unixtime`…) are not checked.
 */
const document: { $id: string; $defs: Record<string, Definition> } = JSON.parse(
  readFileSync(new URL('./openai-chat.schema.json', import.meta.url), 'utf8'),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(document);

function validatorOf(definition: string): ValidateFunction {
  return ajv.compile({ $ref: `${document.$id}#/$defs/${definition}` });
}

const validators = {
  request: validatorOf('CreateChatCompletionRequest'),
  completion: validatorOf('CreateChatCompletionResponse'),
  chunk: validatorOf('CreateChatCompletionStreamResponse'),
  error: validatorOf('ErrorResponse'),
};

/** Violations of OpenAI's schema, one line each. */
export function schemaFaults(kind: keyof typeof validators, value: unknown): string[] {
  const validate = validators[kind];
  return validate(value) ? [] : (validate.errors ?? []).map(faultOf);
}

/** The top-level fields of a request. */
export function requestFields(definition = document.$defs.CreateChatCompletionRequest): string[] {
  const { $ref, allOf = [], properties = {} } = definition ?? {};
  const parts = $ref === undefined ? allOf : [document.$defs[$ref.split('/').at(-1) ?? '']];
  return [...Object.keys(properties), ...parts.flatMap((part) => requestFields(part))];
}

function faultOf({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
}
