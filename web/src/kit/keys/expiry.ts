const DAY_MS = 86_400_000;
const USUAL_DAYS = [30, 90, 365];
const FALLBACK_DAYS = 90;

/** The gateway's policy; null: no limit, or no default. */
export interface KeyPolicy {
  maxLifetimeDays: number | null;
  defaultLifetimeDays: number | null;
}

/** `30` (days), `custom`, `never`, or `keep` for the current expiry. */
export type ExpiryChoice = string;

/** The choices that the policy allows. */
export function expiryChoices({ maxLifetimeDays: max, defaultLifetimeDays }: KeyPolicy) {
  const wanted = [...new Set([...USUAL_DAYS, defaultLifetimeDays ?? FALLBACK_DAYS, ...(max === null ? [] : [max])])];
  const days = wanted.filter((one) => max === null || one <= max).sort((a, b) => a - b);
  return [
    ...days.map((one) => ({ value: String(one), label: one === 1 ? 'In 1 day' : `In ${one} days` })),
    { value: 'custom', label: 'On a custom date' },
    ...(max === null ? [{ value: 'never', label: 'Never' }] : []),
  ];
}

export function defaultChoice({ maxLifetimeDays: max, defaultLifetimeDays }: KeyPolicy): ExpiryChoice {
  const suggested = defaultLifetimeDays ?? FALLBACK_DAYS;
  return String(max === null ? suggested : Math.min(suggested, max));
}

/** The expiry for a choice; null: never. A chosen day ends at midnight in the local time zone. */
export function expiryOf(choice: ExpiryChoice, day: string, now = new Date()): Date | null {
  if (choice === 'never') return null;
  if (choice === 'custom') return new Date(`${day}T23:59:59`);
  return new Date(now.getTime() + Number(choice) * DAY_MS);
}

/** 2026-11-21, in the local time zone, a number of days from now: the format of a date field. */
export function dayFromNow(days: number, now = new Date()): string {
  const date = new Date(now.getTime() + days * DAY_MS);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
