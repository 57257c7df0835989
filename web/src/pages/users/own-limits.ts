import type { UserLimits } from '../../api/limits';
import { LIMIT_NAMES, type LimitName, limitFault, toText } from '../../kit/limits';

/** A user's value: the plan's, no limit, or its own. */
export const MODES = [
  { value: 'plan', label: 'Same as the plan' },
  { value: 'none', label: 'No limit' },
  { value: 'own', label: 'Own value' },
] as const;

interface OwnLimit {
  mode: (typeof MODES)[number]['value'];
  /** The typed value. */
  text: string;
}

/** A plan has no total budget to inherit. */
export function modesOf(name: LimitName): readonly (typeof MODES)[number][] {
  return name === 'budgetTotalUsd' ? MODES.filter(({ value }) => value !== 'plan') : MODES;
}

export type OwnLimits = Record<LimitName, OwnLimit>;

export function toOwnLimit(own: UserLimits['own']): OwnLimits {
  const entries = LIMIT_NAMES.map((name) => [name, toMode(name, own[name])]);
  return Object.fromEntries(entries);
}

function toMode(name: LimitName, value: UserLimits['own'][LimitName]): OwnLimit {
  if (value === 'plan' && name !== 'budgetTotalUsd') return { mode: 'plan', text: '' };
  return typeof value === 'number' ? { mode: 'own', text: toText(value) } : { mode: 'none', text: '' };
}

/** The changed values to send. */
export function toOwnLimitInput(values: OwnLimits, own: UserLimits['own']) {
  const before = toOwnLimit(own);
  const changed = LIMIT_NAMES.filter((name) => inputOf(values[name]) !== inputOf(before[name]));
  return Object.fromEntries(changed.map((name) => [name, inputOf(values[name])]));
}

function inputOf({ mode, text }: OwnLimit): string | null {
  if (mode === 'own') return text.trim();
  return mode === 'plan' ? 'plan' : null;
}

/** Errors by the fields of the form. */
export function validateOwnLimits(values: OwnLimits): Record<string, string> {
  const faults = LIMIT_NAMES.map((name) => {
    const { mode, text } = values[name];
    if (mode !== 'own') return [];
    const fault = text.trim() === '' ? 'Enter a value' : limitFault(name, text);
    return fault === null ? [] : [[`${name}.text`, fault]];
  });
  return Object.fromEntries(faults.flat());
}
