import type { FinishReason } from '../../contract/chat.types.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import type { Dialect } from './dialect.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason | number> = new Map<string, FinishReason | number>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['function_call', 'function_call'],
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['max_tokens', 'length'],
  ['error', 502],
]);

/** Null if there is none yet, `stop` for unknown reasons. */
export function toFinishReason(word: unknown, hasToolCalls: boolean, dialect: Dialect): FinishReason | null {
  if (typeof word !== 'string' || word === '') return null;
  const [, own] = Object.entries(dialect.finishReasons ?? {}).find(([theirs]) => theirs === word) ?? [];
  const reason = own ?? FINISH_REASONS.get(word) ?? 'stop';
  if (typeof reason === 'number') {
    throw new UpstreamError({ status: reason, message: `The upstream ended its answer with "${word.slice(0, 100)}".` });
  }
  return reason === 'stop' && hasToolCalls ? 'tool_calls' : reason;
}
