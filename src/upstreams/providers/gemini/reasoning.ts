import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unsupported } from '../shared/unsupported.js';
import { alwaysThinks, hasThinkingBudget } from './model-generation.js';

/** The thinking budget of each effort, the same as in Google's own OpenAI-compatible API. */
const BUDGETS: ReadonlyMap<string, number> = new Map([
  ['minimal', 1024],
  ['low', 1024],
  ['medium', 8192],
  ['high', 24_576],
]);
const MAX_BUDGET = 24_576;

/**
 * `reasoning_effort` → `thinkingConfig`: a budget for 2.5, a level for later models. With an effort, the answer
 * includes thoughts. Efforts above `high` become `high`, the API's highest. `none` is the minimum of Flash models and a
 * 400 for Pro models.
 */
export function thinkingConfig({ request, model, upstreamModel }: ProviderCall): JsonObject | undefined {
  const effort = request.reasoning_effort ?? undefined;
  if (effort === undefined) return undefined;
  const off = effort === 'none';
  if (off && alwaysThinks(upstreamModel)) {
    const message = `The model '${model}' cannot answer without reasoning. Ask for a low 'reasoning_effort'.`;
    throw unsupported('reasoning_effort', message);
  }
  if (hasThinkingBudget(upstreamModel)) {
    if (off) return { thinkingBudget: 0 };
    return { thinkingBudget: BUDGETS.get(effort) ?? MAX_BUDGET, includeThoughts: true };
  }
  if (off) return { thinkingLevel: 'MINIMAL' };
  return { thinkingLevel: thinkingLevel(effort, upstreamModel), includeThoughts: true };
}

/** A `ThinkingLevel` of Google's SDK and of Vertex AI's discovery document. Pro models have none below `LOW`. */
function thinkingLevel(effort: string, upstreamModel: string): string {
  if (effort === 'minimal') return alwaysThinks(upstreamModel) ? 'LOW' : 'MINIMAL';
  return effort === 'low' || effort === 'medium' ? effort.toUpperCase() : 'HIGH';
}
