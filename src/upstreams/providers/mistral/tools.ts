import { isObject } from '../../contract/json.js';

const NO_PARAMETERS = { type: 'object', properties: {} };

/** A function must say its parameters (`Function` of the package mistralai), even where it has none. */
export function withParameters(tool: unknown): unknown {
  if (!isObject(tool) || !isObject(tool.function) || tool.function.parameters != null) return tool;
  return { ...tool, function: { ...tool.function, parameters: NO_PARAMETERS } };
}
