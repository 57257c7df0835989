import type { FinishReason } from '../../contract/chat.types.js';

/** A `finish_reason` by which the API tells, with status 200, that the answer failed. */
export function isFailure(reason: unknown): boolean {
  return typeof reason === 'string' && /^(?:ERROR|TIMEOUT)/.test(reason);
}

/** Unknown reasons count as `stop`; an answer that was not cut short and calls tools always ends for them. */
export function toFinishReason(reason: unknown, hasToolCalls: boolean): FinishReason {
  if (reason === 'MAX_TOKENS') return 'length';
  return hasToolCalls ? 'tool_calls' : 'stop';
}
