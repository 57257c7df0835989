import type { UserLimits } from '../../api/limits';
import { LIMIT_NAMES, type LimitName, type LimitTexts, NO_LIMIT, toText } from '../../kit/limits';

/** A user's own values as typed; empty is the plan's value. A plan has no total budget: there empty is no limit. */
export function toOwnLimitTexts(own: UserLimits['own']): LimitTexts {
  const texts = LIMIT_NAMES.map((name) => [name, textOf(name, own[name])]);
  return Object.fromEntries(texts);
}

/** The changed values to send. */
export function toOwnLimitInput(texts: LimitTexts, own: UserLimits['own']) {
  const before = toOwnLimitTexts(own);
  const changed = LIMIT_NAMES.filter((name) => texts[name].trim() !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, inputOf(name, texts[name].trim())]));
}

function textOf(name: LimitName, value: UserLimits['own'][LimitName]): string {
  if (typeof value === 'number') return toText(value);
  return value === 'plan' || name === 'budgetTotalUsd' ? '' : NO_LIMIT;
}

function inputOf(name: LimitName, text: string): string | null {
  if (text === NO_LIMIT) return null;
  if (text === '') return name === 'budgetTotalUsd' ? null : 'plan';
  return text;
}
