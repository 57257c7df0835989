import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { adaptiveThinking, claudeThinking, MIN_BUDGET } from '../shared/claude.js';
import { outputLimit } from '../shared/request-fields.js';
import { unsupported } from '../shared/unsupported.js';
import type { ConverseTurn } from './converse.types.js';
import { modelFamily } from './model-family.js';

interface Circumstances {
  readonly turns: readonly ConverseTurn[];
  readonly toolForced: boolean;
  /** Whether the conversation ends with the beginning of the answer. */
  readonly prefilled: boolean;
}

/** `reasoning_effort` as `additionalModelRequestFields` of the model's vendor. Throws if it has no equivalent. */
export function reasoningFields(call: ProviderCall, circumstances: Circumstances): JsonObject {
  const { upstreamModel } = call;
  const effort = call.request.reasoning_effort;
  if (!effort) return {};
  switch (modelFamily(upstreamModel)) {
    case 'anthropic':
      return claudeFields(effort, call, circumstances);
    case 'amazon':
      if (upstreamModel.includes('nova-2')) return novaFields(effort);
      break;
    case 'openai':
      if (effort === 'none') throw unsupported('reasoning_effort', 'The reasoning of this model cannot be turned off.');
      return { reasoning_effort: threeLevels(effort) };
    case 'deepseek':
    case 'qwen':
    case 'moonshot':
    case 'moonshotai':
    case 'minimax':
    case 'zai':
      return effort === 'none' ? {} : { reasoning_config: threeLevels(effort) };
  }
  if (effort === 'none') return {};
  throw unsupported('reasoning_effort', 'This model does not accept a reasoning effort.');
}

function novaFields(effort: string): JsonObject {
  if (effort === 'none') return { reasoningConfig: { type: 'disabled' } };
  return { reasoningConfig: { type: 'enabled', maxReasoningEffort: threeLevels(effort) } };
}

function threeLevels(effort: string): string {
  if (effort === 'minimal') return 'low';
  return effort === 'xhigh' || effort === 'max' ? 'high' : effort;
}

const BUDGETS = new Map([
  ['minimal', MIN_BUDGET],
  ['low', 2048],
  ['medium', 8192],
  ['high', 16_384],
]);
const MAX_BUDGET = 24_576;

/**
 * Claude up to 4.5 has a thinking budget. It does not think if there is no room for a budget, if a tool is forced, if
 * the answer is prefilled, or if the client dropped the first thoughts of a tool loop. Later models have an effort; up
 * to 4.7 they do not think if a tool is forced.
 */
function claudeFields(
  effort: string,
  { request, upstreamModel, maxOutputTokens }: ProviderCall,
  { turns, toolForced, prefilled }: Circumstances,
): JsonObject {
  const model = claudeThinking(upstreamModel);
  if (effort === 'none') return model.byDefault ? { thinking: { type: 'disabled' } } : {};
  if (model.form === 'adaptive') {
    const { thinking, ...guide } = adaptiveThinking(model, effort);
    return { ...(!toolForced || model.withForcedTool ? { thinking } : {}), output_config: guide };
  }
  const limit = outputLimit(request) ?? maxOutputTokens ?? Number.POSITIVE_INFINITY;
  const budget = Math.min(BUDGETS.get(effort) ?? MAX_BUDGET, limit - 1);
  if (budget < MIN_BUDGET || toolForced || prefilled || lostThoughts(turns)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

function lostThoughts(turns: readonly ConverseTurn[]): boolean {
  const question = turns.findLastIndex(
    ({ role, content }) => role === 'user' && content.some((block) => !('toolResult' in block)),
  );
  const answer = turns[question + 1]?.content[0];
  return answer !== undefined && !('reasoningContent' in answer);
}
