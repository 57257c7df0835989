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

/** Returns the function that maps finish reasons: null if there is none yet, `stop` for unknown reasons. */
export function finishReasons(dialect: Dialect): (word: unknown, hasToolCalls: boolean) => FinishReason | null {
  const reasons = new Map([...FINISH_REASONS, ...Object.entries(dialect.finishReasons ?? {})]);

  return (word, hasToolCalls) => {
    if (typeof word !== 'string' || word === '') return null;
    const reason = reasons.get(word) ?? 'stop';
    if (typeof reason === 'number') {
      throw new UpstreamError({
        status: reason,
        message: `The upstream ended its answer with "${word.slice(0, 100)}".`,
      });
    }
    return reason === 'stop' && hasToolCalls ? 'tool_calls' : reason;
  };
}
