import type { FinishReason } from '../../contract/chat.types.js';

/** Whether a response of status 200 reports a failure. */
export function isFailure(reason: unknown): boolean {
  return typeof reason === 'string' && /^(?:ERROR|TIMEOUT)/.test(reason);
}

/** Unknown reasons are `stop`, or `tool_calls` for an answer with tool calls that was not cut. */
export function toFinishReason(reason: unknown, hasToolCalls: boolean): FinishReason {
  if (reason === 'MAX_TOKENS') return 'length';
  return hasToolCalls ? 'tool_calls' : 'stop';
}
