/** How a model is asked to think. */
export interface ModelThinking {
  /** `adaptive`: it decides, guided by an effort; `budget`: it is given a number of tokens. */
  readonly form: 'adaptive' | 'budget';
  /** It thinks unless it is told not to. */
  readonly byDefault: boolean;
  /** It shows its thoughts only where that is asked for. */
  readonly hidden: boolean;
}

/** What is known by a model's name: 4.6 and later think adaptively. A name without a version counts as a new model. */
export function modelThinking(upstreamModel: string): ModelThinking {
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
