import type { FinishReason } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';

/** All other reasons are `stop`. */
const REASONS: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['MODEL_ARMOR', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
]);

/** Names of the numbers that Vertex AI returns if enums are requested as numbers. */
const WORDS = [
  'FINISH_REASON_UNSPECIFIED',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'MODEL_ARMOR',
];

/**
 * `finishReason` → `finish_reason`; null if there is none yet. STOP with a function call is `tool_calls`. Unknown
 * reasons and reasons without an equivalent (LANGUAGE, OTHER, a malformed call) are `stop`.
 */
export function toFinishReason(reason: unknown, hasToolCalls: boolean): FinishReason | null {
  const word = typeof reason === 'number' ? (WORDS[reason] ?? 'OTHER') : reason;
  if (typeof word !== 'string' || word === '' || word === 'FINISH_REASON_UNSPECIFIED') return null;
  return REASONS.get(word) ?? (hasToolCalls ? 'tool_calls' : 'stop');
}

/** Whether the whole prompt was blocked, so that there is only a reason and no candidate. */
export function isBlocked({ candidates, promptFeedback }: JsonObject): boolean {
  const hasNone = !Array.isArray(candidates) || candidates.length === 0;
  return hasNone && isObject(promptFeedback) && Boolean(promptFeedback.blockReason);
}
