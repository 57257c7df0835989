import { isObject, type JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unsupported } from '../shared/ignored-fields.js';
import { outputLimit } from '../shared/request-fields.js';
import { nearestEffort } from '../shared/requested-tools.js';
import { type Dialect, fieldPicker, fieldTest } from './dialect.js';
import { messageAdapter } from './messages.js';
import { hasFunctionTools, toolAdapter } from './tools.js';

/** Fields that the gateway sets or handles separately. */
const HANDLED = new Set(['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens']);

/** Returns the test whether a top-level field of a call is sent upstream, with any name. */
export function forwardingTest(dialect: Dialect): (field: string, call: ProviderCall) => boolean {
  const accepts = acceptanceTest(dialect);
  return (field, call) => HANDLED.has(field) || accepts(field, call);
}

function acceptanceTest({ fields, pricedFields }: Dialect): (field: string, call: ProviderCall) => boolean {
  const accepts = fieldTest(fields);
  if (!pricedFields) return accepts;
  const priced = new Set(pricedFields);
  return (field, { isPaid }) => accepts(field) && (!isPaid || priced.has(field));
}

/**
 * Returns the function from a call to its body. Only the top level is new: the caller's values are passed on by
 * reference and never changed. Null fields are dropped, as they are equivalent to absent fields.
 */
export function requestBody(dialect: Dialect): (call: ProviderCall) => JsonObject {
  const accepts = acceptanceTest(dialect);
  const adaptMessages = messageAdapter(dialect);
  const adaptTools = toolAdapter(dialect);
  const adaptFormat = formatAdapter(dialect);
  const strict = 'only' in dialect.fields;
  const renames = new Map(Object.entries(dialect.renames ?? {}));

  return (call) => {
    const { request, upstreamModel } = call;
    const stream = request.stream === true;
    const body: JsonObject = { model: upstreamModel, messages: adaptMessages(request.messages), stream };
    for (const field of Object.keys(request)) {
      const value = request[field];
      if (value === null || value === undefined || HANDLED.has(field) || !accepts(field, call)) continue;
      body[renames.get(field) ?? field] = value;
    }
    const limit = outputLimit(request);
    if (limit !== undefined) body[dialect.outputLimit] = limit;
    if (stream && dialect.streamUsage === 'stream_options') {
      body.stream_options = { ...(strict ? {} : streamOptions(request)), include_usage: true };
    }
    if (disablesReasoning(call)) body.reasoning_effort = 'none';
    if (body.tools !== undefined) adaptTools(body);
    adaptFormat(body);
    const levels = typeof body.reasoning_effort === 'string' ? effortLevels(call, dialect) : undefined;
    if (levels) body.reasoning_effort = nearestEffort(String(body.reasoning_effort), levels);
    dialect.adjust?.(body, call);
    return body;
  };
}

/** Without the option that is always set, however it is spelled: some servers ignore the case of names. */
function streamOptions({ stream_options: options }: ProviderCall['request']): JsonObject {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([name]) => name.toLowerCase() !== 'include_usage'));
}

/** The efforts of the model in this API: the declared ones, or else those that its name tells. */
function effortLevels({ traits, upstreamModel }: ProviderCall, dialect: Dialect): readonly string[] | undefined {
  const { efforts, refusedEfforts = [] } = dialect;
  return (traits.efforts ?? efforts?.(upstreamModel))?.filter((effort) => !refusedEfforts.includes(effort));
}

/** Only the Responses API has `max` (docs.laozhang.ai/en/announcements/gpt-6-chat-tools-2026-11). */
export const RESPONSES_EFFORTS: readonly string[] = ['max'];

/**
 * "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'none',
 * 'low', 'medium', 'high', 'xhigh'." (GPT-5.6); OpenAI's guide to reasoning for the others.
 */
export function openAiEfforts(model: string): readonly string[] | undefined {
  if (/-pro\b|-chat\b|codex/.test(model)) return undefined;
  if (/^gpt-5\.[2-9]/.test(model)) return ['none', 'low', 'medium', 'high', 'xhigh'];
  if (/^gpt-5\.1/.test(model)) return ['none', 'low', 'medium', 'high'];
  if (/^gpt-5(?:-|$)/.test(model)) return ['minimal', 'low', 'medium', 'high'];
  return /^o[134](?:-|$)/.test(model) ? ['low', 'medium', 'high'] : undefined;
}

/** Whether the model is declared to have no effort `none`. */
export function alwaysReasons({ traits: { efforts } }: Pick<ProviderCall, 'traits'>): boolean {
  return efforts !== null && !efforts.includes('none');
}

/**
 * Whether Chat Completions serve the call's function tools only if it is told not to reason, which it does not say
 * itself: "To use function tools, use /v1/responses or set reasoning_effort to 'none'".
 */
function disablesReasoning(call: ProviderCall): boolean {
  const { request, reasonsWithoutTools } = call;
  const isUnsaid = reasonsWithoutTools === 'always' && request.reasoning_effort == null;
  return isUnsaid && hasFunctionTools(request) && !alwaysReasons(call);
}

const withFormatFields = fieldPicker({ only: ['type', 'json_schema'] });
const withSchemaFields = fieldPicker({ only: ['name', 'description', 'schema', 'strict'] });

function formatAdapter(dialect: Dialect): (body: JsonObject) => void {
  const strict = 'only' in dialect.fields;
  const { schemaMayLack = false, capabilities } = dialect;

  return (body) => {
    const { response_format: format } = body;
    if (!isObject(format)) return;
    const { json_schema: described } = format;
    if (format.type === 'json_schema' && isObject(described)) {
      if (described.schema == null && !schemaMayLack) body.response_format = jsonMode(capabilities);
      else if (strict) body.response_format = { type: 'json_schema', json_schema: withSchemaFields(described) };
    } else if (strict) body.response_format = withFormatFields(format);
  };
}

/** For APIs that require a schema in each `json_schema` format. */
function jsonMode({ json_object: hasJsonMode }: Dialect['capabilities']): JsonObject {
  if (hasJsonMode !== false) return { type: 'json_object' };
  const message = "This model returns JSON only with a schema. Send one as 'schema'.";
  throw unsupported('response_format.json_schema.schema', message);
}
