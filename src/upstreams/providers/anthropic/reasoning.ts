import { isObject, type JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { adaptiveThinking, claudeThinking, MIN_BUDGET } from '../shared/claude.js';
import { isThinking } from '../shared/claude-thoughts.js';
import { nearestEffort } from '../shared/nearest-effort.js';
import type { Turn } from '../shared/turns.js';

interface Reasoning {
  thinking?: JsonObject;
  effort?: string;
}

interface Circumstances {
  limit: number;
  turns: readonly Turn<JsonObject>[];
  toolForced: boolean;
  /** Whether the conversation ends with the beginning of the answer. */
  prefilled: boolean;
}

const BUDGETS = new Map([
  ['minimal', MIN_BUDGET],
  ['low', 2048],
  ['medium', 8192],
  ['high', 16_384],
  ['xhigh', 32_768],
  ['max', 65_536],
]);
/** Thinking counts against the output limit and gets at most this share. */
const THOUGHTS_SHARE = 0.8;

/**
 * `reasoning_effort` in the model's form; the API's own `thinking` field takes precedence. Thinking is disabled if it
 * is impossible: up to 4.7 if a tool is forced; for models with a budget also if the limit leaves no room, the answer
 * is prefilled, or the client dropped the first thoughts of a tool loop.
 */
export function reasoning(
  { request, upstreamModel }: ProviderCall,
  { limit, turns, toolForced, prefilled }: Circumstances,
): Reasoning {
  const { reasoning_effort: wanted, thinking } = request;
  const model = claudeThinking(upstreamModel);
  if (isObject(thinking)) {
    const isGuided = model.form === 'adaptive' && wanted && wanted !== 'none';
    return { thinking, ...(isGuided && { effort: nearestEffort(wanted, model.efforts) }) };
  }
  if (!wanted) return {};
  if (wanted === 'none') return model.byDefault ? { thinking: { type: 'disabled' } } : {};
  if (model.form === 'adaptive') {
    const { thinking, effort } = adaptiveThinking(model, wanted);
    return toolForced && !model.withForcedTool ? { effort } : { thinking, effort };
  }
  if (limit <= MIN_BUDGET || toolForced || prefilled || lostThoughts(turns)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budgetOf(wanted, limit) } };
}

function budgetOf(wanted: string, limit: number): number {
  return Math.max(MIN_BUDGET, Math.min(BUDGETS.get(wanted) ?? MIN_BUDGET, Math.floor(limit * THOUGHTS_SHARE)));
}

/** Whether the conversation is in a tool loop that does not start with signed thoughts. */
function lostThoughts(turns: readonly Turn<JsonObject>[]): boolean {
  const question = turns.findLastIndex(
    ({ role, content }) => role === 'user' && content.every(({ type }) => type !== 'tool_result'),
  );
  const first = turns[question + 1]?.content[0];
  return first !== undefined && !isThinking(first);
}
