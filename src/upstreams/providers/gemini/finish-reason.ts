import type { FinishReason } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';

/** What does not simply mean that the answer has ended. */
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

/** The words of the numbers that Vertex AI gives where enums are asked for as numbers. */
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
 * `finishReason` → the format's: null while there is none. There is no word for calls: STOP with a call is
 * `tool_calls`. A reason that is not known, or that the format cannot tell (LANGUAGE, OTHER, a call gone wrong), is
 * `stop`.
 */
export function toFinishReason(reason: unknown, hasToolCalls: boolean): FinishReason | null {
  const word = typeof reason === 'number' ? (WORDS[reason] ?? 'OTHER') : reason;
  if (typeof word !== 'string' || word === '' || word === 'FINISH_REASON_UNSPECIFIED') return null;
  return REASONS.get(word) ?? (hasToolCalls ? 'tool_calls' : 'stop');
}

/** Whether the prompt was refused as a whole: then there is no candidate, only the reason. */
export function isBlocked({ candidates, promptFeedback }: JsonObject): boolean {
  const hasNone = !Array.isArray(candidates) || candidates.length === 0;
  return hasNone && isObject(promptFeedback) && Boolean(promptFeedback.blockReason);
}
