/** How a Claude model is asked to think. */
export interface ClaudeThinking {
  /** `adaptive`: it decides, guided by an effort; `budget`: it is given a number of tokens. */
  readonly form: 'adaptive' | 'budget';
  /** It thinks unless it is told not to. */
  readonly byDefault: boolean;
  /** It shows its thoughts only where that is asked for. */
  readonly hidden: boolean;
}

/** The fewest tokens to think with. */
export const LEAST_BUDGET = 1024;

/** What is known by a model's name: 4.6 and later think adaptively. */
export function claudeThinking(model: string): ClaudeThinking {
  const version = claudeVersion(model);
  return { form: version >= 406 ? 'adaptive' : 'budget', byDefault: version >= 500, hidden: version >= 407 };
}

/** Asks a model to think as long as it sees fit, and the effort that guides it. */
export function adaptiveThinking({ hidden }: ClaudeThinking, effort: string) {
  const thinking = { type: 'adaptive', ...(hidden && { display: 'summarized' }) };
  return { thinking, effort: guidingEffort(effort) };
}

export function guidingEffort(effort: string): string {
  return effort === 'minimal' ? 'low' : effort;
}

/**
 * `claude-opus-4-7` → 407, `claude-3-7-sonnet-20250219` → 307, `claude-sonnet-4-20250514` → 400, whoever serves it; a name
 * without a version counts as a new model's.
 */
export function claudeVersion(model: string): number {
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 100 + Number(minor ?? 0);
}
