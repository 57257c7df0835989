import { nearestEffort } from './nearest-effort.js';

/** How a Claude model is asked to think. */
export interface ClaudeThinking {
  /** `adaptive`: it decides, guided by an effort; `budget`: it is given a number of tokens. */
  readonly form: 'adaptive' | 'budget';
  /** It thinks unless it is told not to. */
  readonly byDefault: boolean;
  /** It shows its thoughts only where that is asked for. */
  readonly hidden: boolean;
  /** It thinks also where it must call a tool. */
  readonly withForcedTool: boolean;
  /** The efforts that guide it. */
  readonly efforts: readonly string[];
}

/** The fewest tokens to think with. */
export const LEAST_BUDGET = 1024;

/** What is known by a model's name: 4.6 and later think adaptively. */
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

/** Structured outputs and strict tools are of 4.5 and later, and of Opus 4.1. */
export function hasStructuredOutputs(model: string): boolean {
  const version = claudeVersion(model);
  return version >= 405 || version === 401;
}

/** Asks a model to think as long as it sees fit, and the effort that guides it. */
export function adaptiveThinking(model: ClaudeThinking, effort: string) {
  const thinking = { type: 'adaptive', ...(model.hidden && { display: 'summarized' }) };
  return { thinking, effort: guidingEffort(model, effort) };
}

export function guidingEffort({ efforts }: ClaudeThinking, effort: string): string {
  return nearestEffort(effort, efforts);
}

/**
 * `claude-opus-4-7` → 407, `claude-3-7-sonnet-20250219` → 307, `claude-sonnet-4-20250514` → 400, whoever serves it; a name
 * without a version counts as a new model's.
 */
export function claudeVersion(model: string): number {
  const [, major, minor] = /claude-(?:[a-z]+-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major) * 100 + Number(minor ?? 0);
}
