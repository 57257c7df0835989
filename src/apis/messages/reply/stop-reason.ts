import type { FinishReason } from '../../../upstreams/contract/chat.types.js';

/** From the inner form to the client. The other direction is in `upstreams/providers/anthropic/finish-reason.ts`. */
const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'end_turn',
  content_filter: 'refusal',
  function_call: 'end_turn',
};

/** An answer with tool calls always has `tool_use`, as agents continue only then. */
export function stopReason(finish: FinishReason, hasToolCalls: boolean, hasRefused: boolean): string {
  if (hasToolCalls) return 'tool_use';
  return hasRefused ? 'refusal' : REASONS[finish];
}
