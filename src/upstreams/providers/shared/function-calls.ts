import { isObject, type JsonObject } from '../../contract/json.js';
import { type NameForm, validName } from './tool-renaming.js';

/** Function names in OpenAI's format and most others. Earlier calls may have any name. */
export const FUNCTION_NAMES: NameForm = {
  valid: /^[A-Za-z0-9_-]{1,64}$/,
  repair: (name) => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool',
};

/** Converts a custom tool call for APIs that only have functions: its input becomes an argument. */
export function asFunctionCall(call: JsonObject): JsonObject {
  if (!isObject(call.custom)) return call;
  const { custom, ...rest } = call;
  const called = { name: custom.name, arguments: JSON.stringify({ input: custom.input }) };
  return { ...rest, type: 'function', function: called };
}

export function withValidName(call: JsonObject, form: NameForm): JsonObject {
  const { function: called } = call;
  if (!isObject(called) || typeof called.name !== 'string') return call;
  const name = validName(called.name, form);
  return name === called.name ? call : { ...call, function: { ...called, name } };
}
