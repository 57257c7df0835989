import { nearestEffort } from './nearest-effort.js';

export interface ClaudeThinking {
  /** `adaptive`: the model decides, guided by an effort; `budget`: a number of tokens. */
  readonly form: 'adaptive' | 'budget';
  /** Whether it thinks unless that is disabled. */
  readonly byDefault: boolean;
  /** Whether thoughts are only returned on request. */
  readonly hidden: boolean;
  /** Whether it can think if a tool is forced. */
  readonly withForcedTool: boolean;
  readonly efforts: readonly string[];
}

/** Minimum thinking tokens. */
export const MIN_BUDGET = 1024;

/** 4.6 and later think adaptively. */
export function claudeThinking(model: string): ClaudeThinking {
  const version = claudeVersion(model);
  return {
    form: version >= 406 ? 'adaptive' : 'budget',
    byDefault: version >= 500,
    hidden: version >= 407,
    withForcedTool: version >= 408,
    // "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium." (4.6)
    efforts: version >= 407 ? [...EFFORTS, 'xhigh', 'max'] : [...EFFORTS, 'max'],
  };
}

const EFFORTS = ['low', 'medium', 'high'];

/** 4.5 and later, and Opus 4.1. */
export function hasStructuredOutputs(model: string): boolean {
  const version = claudeVersion(model);
  return version >= 405 || version === 401;
}

export function adaptiveThinking(model: ClaudeThinking, effort: string) {
  const thinking = { type: 'adaptive', ...(model.hidden && { display: 'summarized' }) };
  return { thinking, effort: nearestEffort(effort, model.efforts) };
}

/**
 * `claude-opus-4-7` → 407, `claude-3-7-sonnet-20250219` → 307, `claude-sonnet-4-20250514` → 400, with any provider's
 * prefix; a name without a version counts as new.
 */
export function claudeVersion(model: string): number {
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 100 + Number(minor ?? 0);
}
