import type { JsonObject } from '../../src/upstreams/contract/json.js';
import { isObject, objectsOf } from '../../src/upstreams/contract/json.js';
import { claudeVersion } from '../../src/upstreams/providers/shared/claude.js';

/** Violations of documented rules of a provider that its types do not contain, one line each. */
export function ruleFaults(name: string, model: string, body: unknown): string[] {
  if (!isObject(body)) return [];
  if (name === 'anthropic') return [...lastTurnFaults(model, body), ...anthropicSchemas(body).flatMap(closedFaults)];
  if (name === 'mistral') return mistralFaults(body);
  if (name !== 'bedrock') return [];
  if (!model.includes('anthropic')) return toolSpecs(body).flatMap(novaFaults);
  const strict = toolSpecs(body).filter(({ strict }) => strict === true);
  return [
    ...lastTurnFaults(model, body),
    ...strict.flatMap(({ inputSchema }) => closedFaults(Object(inputSchema).json)),
  ];
}

/** "The conversation must end with a user message", and a prefilled answer must not end in white space. */
function lastTurnFaults(model: string, { messages }: JsonObject): string[] {
  const last = objectsOf(messages).at(-1);
  if (last?.role === 'user') return [];
  if (claudeVersion(model) >= 406) return ['the assistant is last'];
  const text = objectsOf(last?.content).at(-1)?.text;
  return /\s$/.test(String(text)) ? ['the last text ends in white space'] : [];
}

function anthropicSchemas({ output_config, tools }: JsonObject): unknown[] {
  const format: unknown = Object(output_config).format;
  const strict = objectsOf(tools).filter((tool) => tool.strict === true);
  return [...(isObject(format) ? [format.schema] : []), ...strict.map((tool) => tool.input_schema)];
}

/** The keywords of structured outputs (platform.claude.com, "JSON Schema limitations"). */
const KNOWN = new Set(
  'type title description required properties items enum const anyOf allOf $ref $defs definitions format minItems additionalProperties'.split(
    ' ',
  ),
);

function closedFaults(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { properties, items, anyOf, allOf, $defs } = schema;
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  const isObjects = [schema.type].flat().includes('object');
  return [
    ...unknown.map((keyword) => `a strict schema has ${keyword}`),
    ...(isObjects && schema.additionalProperties !== false ? ['an object is open'] : []),
    ...[properties, $defs].flatMap((named) => Object.values(Object(named)).flatMap(closedFaults)),
    ...[items, anyOf, allOf].flat().flatMap(closedFaults),
  ];
}

function toolSpecs({ toolConfig }: JsonObject): JsonObject[] {
  return objectsOf(Object(toolConfig).tools).map((tool) => Object(tool.toolSpec));
}

/** "Only three fields are supported in top-level Object": type, properties and required. */
function novaFaults({ inputSchema, strict }: JsonObject): string[] {
  const { type, properties, required, ...others }: JsonObject = Object(inputSchema).json;
  const faults = Object.keys(others).map((keyword) => `Nova has no ${keyword} of the outermost object`);
  if (type !== 'object' || !isObject(properties)) faults.push('Nova wants an object');
  if (required !== undefined && !Array.isArray(required)) faults.push('required is no list');
  if (JSON.stringify(properties).includes('"$ref"')) faults.push('Nova has no definitions');
  return strict === undefined ? faults : [...faults, 'Nova is not strict'];
}

/** Package mistral-common: "Assistant message must have either content or tool_calls". */
function mistralFaults({ messages }: JsonObject): string[] {
  const silent = objectsOf(messages).filter(
    ({ role, content, tool_calls: calls }) => role === 'assistant' && !content && objectsOf(calls).length === 0,
  );
  return silent.map(() => 'an assistant message without content');
}
