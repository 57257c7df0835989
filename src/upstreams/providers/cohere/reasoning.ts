import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import { outputLimit } from '../shared/request-fields.js';

/** Thinking budgets in tokens; higher efforts have none. */
const BUDGETS = new Map([
  ['minimal', 1024],
  ['low', 2048],
  ['medium', 8192],
]);
/** Thinking counts against the output limit and gets at most this share. */
const THOUGHTS_SHARE = 0.8;
/** Models that do not think and may refuse `thinking`. */
const NEVER_THINKS = /^(?:command-r|command-a-(?:03-2025|vision|translate)|(?:c4ai-)?aya)/;

/** `reasoning_effort` in the API's form: on or off, with a budget. The API's own `thinking` takes precedence. */
export function thinkingOf(request: ChatCompletionRequest, upstreamModel: string): JsonObject | undefined {
  const { reasoning_effort: effort, thinking } = request;
  if (isObject(thinking)) return thinking;
  if (!effort) return undefined;
  if (effort === 'none') return NEVER_THINKS.test(upstreamModel) ? undefined : { type: 'disabled' };
  const budget = budgetOf(effort, outputLimit(request));
  return { type: 'enabled', ...(budget !== undefined && { token_budget: budget }) };
}

function budgetOf(effort: string, limit: number | undefined): number | undefined {
  const budget = BUDGETS.get(effort);
  if (budget === undefined || limit === undefined) return budget;
  return Math.max(1, Math.min(budget, Math.floor(limit * THOUGHTS_SHARE)));
}
