import { isObject, type JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import type { Turn } from './messages.js';

/** What a request says about thinking: its `thinking` field, and the effort of its `output_config`. */
interface Reasoning {
  thinking?: JsonObject;
  effort?: string;
}

/** The least that the API takes. */
const MIN_BUDGET = 1024;
const BUDGETS = new Map([
  ['minimal', MIN_BUDGET],
  ['low', 2048],
  ['medium', 8192],
  ['high', 16_384],
  ['xhigh', 32_768],
  ['max', 65_536],
]);
/** Thoughts count against the output limit: this much of it at most is theirs. */
const THOUGHTS_SHARE = 0.8;

/**
 * `reasoning_effort` in the form that the model takes. A caller that sets the API's own `thinking` field is obeyed.
 * A model that thinks within a budget does not where it cannot: under a limit without room for a budget, when a tool
 * is forced, and in a tool loop whose first thoughts the client has lost.
 */
export function reasoning(
  { request, upstreamModel }: ProviderCall,
  limit: number,
  turns: readonly Turn[],
  toolForced: boolean,
): Reasoning {
  const { reasoning_effort: wanted, thinking } = request;
  const { form, byDefault, hidden } = modelThinking(upstreamModel);
  const effort = form === 'adaptive' && wanted && wanted !== 'none' ? { effort: effortOf(wanted) } : {};
  if (isObject(thinking)) return { thinking, ...effort };
  if (!wanted) return {};
  if (wanted === 'none') return byDefault ? { thinking: { type: 'disabled' } } : {};
  if (form === 'adaptive') {
    return { thinking: { type: 'adaptive', ...(hidden && { display: 'summarized' }) }, ...effort };
  }
  if (limit <= MIN_BUDGET || toolForced || lostThoughts(turns)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budgetOf(wanted, limit) } };
}

function effortOf(wanted: string): string {
  return wanted === 'minimal' ? 'low' : wanted;
}

function budgetOf(wanted: string, limit: number): number {
  return Math.max(MIN_BUDGET, Math.min(BUDGETS.get(wanted) ?? MIN_BUDGET, Math.floor(limit * THOUGHTS_SHARE)));
}

/** Whether the conversation stands in a tool loop that does not begin with thoughts. */
function lostThoughts(turns: readonly Turn[]): boolean {
  const question = turns.findLastIndex(
    ({ role, content }) => role === 'user' && content.every(({ type }) => type !== 'tool_result'),
  );
  const first = turns[question + 1]?.content[0]?.type;
  return first !== undefined && first !== 'thinking' && first !== 'redacted_thinking';
}

/** How a model is asked to think. */
interface ModelThinking {
  /** `adaptive`: it decides, guided by an effort; `budget`: it is given a number of tokens. */
  readonly form: 'adaptive' | 'budget';
  /** It thinks unless it is told not to. */
  readonly byDefault: boolean;
  /** It shows its thoughts only where that is asked for. */
  readonly hidden: boolean;
}

/** What is known by a model's name: 4.6 and later think adaptively. A name without a version counts as a new model. */
function modelThinking(upstreamModel: string): ModelThinking {
  const version = versionOf(upstreamModel);
  return {
    form: version >= 406 ? 'adaptive' : 'budget',
    byDefault: version >= 500,
    hidden: version >= 407,
  };
}

/** `claude-opus-4-7` → 407, `claude-3-7-sonnet-20250219` → 307, `claude-sonnet-4-20250514` → 400. */
function versionOf(model: string): number {
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 100 + Number(minor ?? 0);
}
