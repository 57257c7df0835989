import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { nearestEffort } from '../shared/nearest-effort.js';
import { outputLimit } from '../shared/request-fields.js';
import type { Dialect } from './dialect.js';
import { fieldTest } from './field-rule.js';
import { messageAdapter } from './messages.js';
import { formatAdapter } from './output-format.js';
import { hasFunctionTools, toolAdapter } from './tools.js';

/** Fields that the gateway sets or handles separately. */
const HANDLED = new Set(['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens']);

/** Returns the test whether a top-level field is sent upstream, with any name. */
export function forwardingTest({ fields }: Dialect): (field: string) => boolean {
  const accepts = fieldTest(fields);
  return (field) => HANDLED.has(field) || accepts(field);
}

/**
 * Returns the function from a call to its body. Only the top level is new: the caller's values are passed on by
 * reference and never changed. Null fields are dropped, as they are equivalent to absent fields.
 */
export function requestBody(dialect: Dialect): (call: ProviderCall) => JsonObject {
  const accepts = fieldTest(dialect.fields);
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
      if (value === null || value === undefined || HANDLED.has(field) || !accepts(field)) continue;
      body[renames.get(field) ?? field] = value;
    }
    const limit = outputLimit(request);
    if (limit !== undefined) body[dialect.outputLimit] = limit;
    if (stream && dialect.streamUsage === 'stream_options') {
      body.stream_options = { ...(strict ? {} : request.stream_options), include_usage: true };
    }
    // "To use function tools, use /v1/responses or set reasoning_effort to 'none'", even if none is set.
    if (call.reasonsWithoutTools === 'always' && body.reasoning_effort === undefined && hasFunctionTools(request)) {
      body.reasoning_effort = 'none';
    }
    if (body.tools !== undefined) adaptTools(body);
    adaptFormat(body);
    const levels = typeof body.reasoning_effort === 'string' ? dialect.efforts?.(upstreamModel) : undefined;
    if (levels) body.reasoning_effort = nearestEffort(String(body.reasoning_effort), levels);
    dialect.adjust?.(body, call);
    return body;
  };
}
