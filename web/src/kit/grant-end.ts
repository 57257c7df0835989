const DAY_MS = 86_400_000;

/** Choices for the end of a grant. */
export const ENDS = [
  { value: 'never', label: 'No end' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'On a custom date' },
] as const;

export type GrantEnd = (typeof ENDS)[number]['value'];

/** The time of a choice, ISO 8601; null for none. A chosen day ends at midnight in the local time zone. */
export function endOf(end: GrantEnd, day: string, now = new Date()): string | null {
  if (end === 'never') return null;
  const at = end === 'day' ? new Date(`${day}T23:59:59`) : new Date(now.getTime() + Number(end) * DAY_MS);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** 2026-11-21, in the local time zone: the format of a date field. */
export function localDay(at: Date): string {
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
