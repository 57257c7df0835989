import type { FinishReason } from '../../contract/chat.types.js';
import { isObject, textOf } from '../../contract/json.js';

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/**
 * `stop_reason` → `finish_reason`. All other reasons, such as `end_turn`, are `stop`, and so is `tool_use` without calls of
 * the client's tools.
 */
export function toFinishReason(reason: unknown, hasToolCalls: boolean): FinishReason {
  const finish = FINISH_REASONS.get(reason) ?? 'stop';
  return finish === 'tool_calls' && !hasToolCalls ? 'stop' : finish;
}

export function refusalText(details: unknown): string | null {
  return isObject(details) ? (textOf(details.explanation) ?? null) : null;
}
