import type { MessagesRequest } from '../request/messages.types.js';

/** Thinking tokens for each effort, the same as the gateway sends to models that take a budget. */
const BUDGETS: readonly (readonly [effort: string, tokens: number])[] = [
  ['minimal', 1024],
  ['low', 2048],
  ['medium', 8192],
  ['high', 16_384],
  ['xhigh', 32_768],
  ['max', 65_536],
];

/** The API's own default. */
const DEFAULT_EFFORT = 'high';

/** Undefined: the model's default. */
export function toReasoningEffort({ thinking, output_config: config }: MessagesRequest): string | undefined {
  if (thinking?.type === 'disabled') return 'none';
  if (config?.effort) return config.effort;
  if (!thinking) return undefined;
  const { budget_tokens: budget } = thinking;
  return typeof budget === 'number' ? effortOfBudget(budget) : DEFAULT_EFFORT;
}

/** The effort with the nearest budget; of two, the higher one. */
function effortOfBudget(budget: number): string {
  let nearest = DEFAULT_EFFORT;
  let least = Number.POSITIVE_INFINITY;
  for (const [effort, tokens] of BUDGETS) {
    const distance = Math.abs(tokens - budget);
    if (distance > least) continue;
    least = distance;
    nearest = effort;
  }
  return nearest;
}

/**
 * Fields that a model which cannot reason may ignore: with adaptive thinking the model decides whether it thinks, and
 * an effort also applies to models that do not think.
 */
export function optionalEffort({ thinking, output_config: config }: MessagesRequest): ReadonlyMap<string, string> {
  if (thinking && thinking.type !== 'adaptive') return NONE;
  return new Map([['reasoning_effort', config?.effort ? 'output_config.effort' : 'thinking']]);
}

const NONE: ReadonlyMap<string, string> = new Map();

/** How an answer shows the reasoning of models other than Claude. */
export type ShownThinking = 'shown' | 'signature only' | 'hidden';

export function shownThinking({ thinking }: MessagesRequest): ShownThinking {
  if (!thinking || thinking.type === 'disabled') return 'hidden';
  return thinking.display === 'omitted' ? 'signature only' : 'shown';
}
