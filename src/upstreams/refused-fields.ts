import type { ChatCompletionRequest } from './contract/chat.types.js';
import { isObject, type JsonObject } from './contract/json.js';
import type { FieldPattern, FieldStep, NativeBody, ReducedBody } from './contract/native.body.js';
import type { UpstreamFailure } from './contract/upstream.error.js';

/**
 * "tools.0.custom.strict: Extra inputs are not permitted" (Anthropic, FastAPI), "Unknown parameter: 'tools[0].strict'."
 * (OpenAI), "Unrecognized request argument supplied: strict" (Azure), "#/tools/0: extraneous key [strict] is not permitted"
 * (Bedrock).
 */
const REFUSALS: readonly RegExp[] = [
  /([a-z_][\w.[\]-]*): Extra inputs are not permitted/gi,
  /Unknown parameter: ['"`]([\w.[\]-]+)['"`]/gi,
  /Unrecognized request arguments? supplied: ([\w.[\]-]+)/gi,
  /(?:#((?:\/\w+)*): )?extraneous key \[([\w-]+)\] is not permitted/gi,
];

/** Fields without which a request says something else, reveals more or may cost more. */
const REQUIRED: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'input', 'prompt', 'system', 'instructions', 'stream', 'store', 'truncation', 'include'],
  ...['tools', 'tool_choice', 'functions', 'parallel_tool_calls', 'disable_parallel_tool_use', 'allowed_tools'],
  ...['thinking', 'reasoning', 'output_config', 'output_format', 'response_format', 'format', 'schema'],
  ...['type', 'role', 'name', 'id', 'call_id', 'tool_use_id', 'arguments', 'output', 'parameters', 'input_schema'],
  ...['content', 'text', 'source', 'data', 'url', 'image_url', 'file_id', 'file_data', 'media_type', 'is_error'],
  ...['signature', 'encrypted_content', 'container', 'mcp_servers', 'fallbacks', 'speed', 'inference_geo'],
  ...['safety_identifier', 'moderation', 'allowed_domains', 'blocked_domains', 'allowed_callers', 'filters'],
  ...['require_approval', 'authorization', 'headers', 'temperature', 'top_p', 'top_k', 'stop', 'stop_sequences'],
]);
/** Bounds of what a call may cost. */
const BOUND = /(?:^|_)(?:max|limit|budget|tokens?)(?:_|$)/;
/** Values of the client's own, in which nothing is left out. */
const OPAQUE: ReadonlySet<string> = new Set(['input', 'input_schema', 'parameters', 'schema', 'arguments']);

/** The optional fields of the request that an upstream refuses by their path. */
export function refusedFields({ fields }: NativeBody, { status, message = '' }: UpstreamFailure): FieldPattern[] {
  if (status !== 400 && status !== 422) return [];
  const paths = REFUSALS.flatMap((refusal) => [...message.matchAll(refusal)].map(([, ...parts]) => parts));
  return paths.flatMap((parts) => {
    const [top = '', ...rest] = parts.flatMap((part = '') => part.split(/[^\w-]+/)).filter((name) => name !== '');
    const steps = Object.hasOwn(fields, top) ? located(fields, [top, ...rest]) : null;
    return steps !== null && isOptional(steps) ? [steps] : [];
  });
}

/** Whether the request quotes such a refusal, so that an upstream's message may be the client's text. */
export function quotesRefusal({ fields }: NativeBody): boolean {
  const text = JSON.stringify(fields);
  return REFUSALS.some((refusal) => text.search(refusal) >= 0);
}

/** The request without the fields, in all entries of a list that have the same type and role; null if it has none. */
export function withoutFields(body: NativeBody, patterns: readonly FieldPattern[]): ReducedBody | null {
  const leftOut: string[] = [];
  const fields = patterns.reduce<unknown>((rest, pattern) => without(rest, pattern, '', leftOut), body.fields);
  return leftOut.length > 0 ? { body: { ...body, fields: fields as JsonObject }, leftOut, lasting: patterns } : null;
}

/**
 * The steps to the field, null if there is no such field. Anthropic's paths also name the type of an object
 * (`thinking.adaptive.display`).
 */
function located(value: unknown, [name = '', ...rest]: readonly string[], maySkip = false): FieldStep[] | null {
  if (Array.isArray(value)) {
    const entry: unknown = value[Number(name)];
    const steps = isObject(entry) ? located(entry, rest, true) : null;
    return steps && isObject(entry) ? [{ type: entry.type, role: entry.role }, ...steps] : null;
  }
  if (!isObject(value)) return null;
  if (rest.length === 0) return Object.hasOwn(value, name) ? [name] : null;
  const steps = Object.hasOwn(value, name) ? located(value[name], rest, true) : null;
  if (steps !== null) return [name, ...steps];
  return maySkip ? located(value, rest) : null;
}

function isOptional(steps: readonly FieldStep[]): boolean {
  const last = steps.at(-1);
  if (typeof last !== 'string' || REQUIRED.has(last) || BOUND.test(last)) return false;
  return steps.slice(1, -1).every((step) => typeof step !== 'string' || !OPAQUE.has(step));
}

function without(value: unknown, [step, ...rest]: FieldPattern, path: string, leftOut: string[]): unknown {
  if (typeof step === 'object') {
    if (!Array.isArray(value)) return value;
    const matches = (entry: unknown) => isObject(entry) && entry.type === step.type && entry.role === step.role;
    const entries = value.map((entry, at) =>
      matches(entry) ? without(entry, rest, `${path}[${at}]`, leftOut) : entry,
    );
    return entries.every((entry, at) => entry === value[at]) ? value : entries;
  }
  if (step === undefined || !isObject(value) || !Object.hasOwn(value, step)) return value;
  const { [step]: inner, ...others } = value;
  const ownPath = path === '' ? step : `${path}.${step}`;
  if (rest.length === 0) {
    leftOut.push(ownPath);
    return others;
  }
  const left = without(inner, rest, ownPath, leftOut);
  if (left === inner) return value;
  return isObject(left) && Object.keys(left).length === 0 ? others : { ...value, [step]: left };
}

const NONE: Readonly<Record<string, string>> = {};
/** Clients choose the names of unknown fields, which may be invalid in a header or too long for it. */
const PRINTABLE = /^[\w.[\]-]{1,100}$/;
const MAX_NAMED = 40;

/** The response header that names the fields left out of the upstream request. */
export function ignoredHeaders(fields: readonly string[]): Readonly<Record<string, string>> {
  const named = [...new Set(fields)].filter((field) => PRINTABLE.test(field)).slice(0, MAX_NAMED);
  return named.length > 0 ? { 'x-gateway-ignored-parameters': named.join(', ') } : NONE;
}

export function withoutParameters(request: ChatCompletionRequest, fields: ReadonlySet<string>): ChatCompletionRequest {
  if (fields.size === 0) return request;
  const copy = { ...request };
  for (const field of fields) delete copy[field];
  return copy;
}

/** The fields in which clients return reasoning that only the provider can read. */
const FIELDS = ['extra_content', 'reasoning_details'];

/** The request without the encrypted reasoning of earlier answers, and its paths; null if there is none. */
export function withoutReasoning(
  request: ChatCompletionRequest,
): { request: ChatCompletionRequest; leftOut: string[] } | null {
  const leftOut: string[] = [];
  const messages = request.messages.map((message, at) => {
    if (message.role !== 'assistant') return message;
    const spoken = withoutReasoningFields(message, `messages[${at}]`, leftOut);
    const { tool_calls: calls } = spoken;
    if (!calls) return spoken;
    const path = (index: number) => `messages[${at}].tool_calls[${index}]`;
    return { ...spoken, tool_calls: calls.map((call, index) => withoutReasoningFields(call, path(index), leftOut)) };
  });
  return leftOut.length > 0 ? { request: { ...request, messages }, leftOut } : null;
}

function withoutReasoningFields<T extends object>(holder: T, path: string, leftOut: string[]): T {
  const given = FIELDS.filter((field) => field in holder && isReasoning(holder[field as keyof T]));
  if (given.length === 0) return holder;
  leftOut.push(...given.map((field) => `${path}.${field}`));
  return Object.fromEntries(Object.entries(holder).filter(([name]) => !given.includes(name))) as T;
}

function isReasoning(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value);
}
