import type { FinishReason } from '../../contract/chat.types.js';
import { UpstreamError } from '../../contract/upstream.error.js';

const FINISH_REASONS = new Map<unknown, FinishReason>([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
]);

/** The model's output was invalid. */
const MALFORMED = new Set<unknown>(['malformed_model_output', 'malformed_tool_use']);

/**
 * `stopReason` → `finish_reason`. All other reasons, such as `end_turn` and `tool_use`, are `tool_calls` if the answer
 * calls tools of the client, and `stop` if not: `tool_use` may also mean tools of the API itself.
 */
export function toFinishReason(stopReason: unknown, hasToolCalls: boolean): FinishReason {
  if (MALFORMED.has(stopReason)) {
    throw new UpstreamError({ status: 502, message: `The upstream ended its answer with "${stopReason}".` });
  }
  return FINISH_REASONS.get(stopReason) ?? (hasToolCalls ? 'tool_calls' : 'stop');
}
