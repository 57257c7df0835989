import type { MessagesRequest } from '../request/messages.types.js';

/** Thinking tokens for each effort, as the gateway sends them to models that take a budget. */
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

/** The effort with the nearest budget, the higher one of two. */
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
 * Adaptive thinking leaves it to the model whether it thinks, and an effort also guides models that do not: a model that
 * cannot reason can do without.
 */
export function optionalEffort({ thinking, output_config: config }: MessagesRequest): ReadonlyMap<string, string> {
  if (thinking && thinking.type !== 'adaptive') return NONE;
  return new Map([['reasoning_effort', config?.effort ? 'output_config.effort' : 'thinking']]);
}

const NONE: ReadonlyMap<string, string> = new Map();

/** How an answer shows reasoning of a model that is not Claude. */
export type ShownThinking = 'shown' | 'signature only' | 'hidden';

export function shownThinking({ thinking }: MessagesRequest): ShownThinking {
  if (!thinking || thinking.type === 'disabled') return 'hidden';
  return thinking.display === 'omitted' ? 'signature only' : 'shown';
}
