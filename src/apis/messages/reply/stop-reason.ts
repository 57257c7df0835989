import type { FinishReason } from '../../../upstreams/contract/chat.types.js';

/** From the inner form to the client. From Claude to the inner form: `upstreams/providers/anthropic/finish-reason.ts`. */
const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'end_turn',
  content_filter: 'refusal',
  function_call: 'end_turn',
};

/** Tool calls always give `tool_use`: agents go on only then. */
export function stopReason(finish: FinishReason, hasToolCalls: boolean, hasRefused: boolean): string {
  if (hasToolCalls) return 'tool_use';
  return hasRefused ? 'refusal' : REASONS[finish];
}
