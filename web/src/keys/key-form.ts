import { useForm } from '@mantine/form';
import { ApiError, messageOf } from '../api/api-error';
import { type LimitTexts, NO_LIMIT_TEXTS, toLimitInput, validateLimits } from '../kit/limits';
import type { KeyInput } from './keys-api';

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
  const required = [...new Set([...USUAL_DAYS, defaultLifetimeDays ?? FALLBACK_DAYS, ...(max === null ? [] : [max])])];
  const days = required.filter((one) => max === null || one <= max).sort((a, b) => a - b);
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

/** The values of the key form. */
export interface KeyFormValues {
  name: string;
  expiry: string;
  day: string;
  models: string[] | null;
  addresses: string[];
  note: string;
  limits: LimitTexts;
}

export function useKeyForm(initialValues: Partial<KeyFormValues> & Pick<KeyFormValues, 'name' | 'expiry'>) {
  return useForm<KeyFormValues>({
    initialValues: {
      day: dayFromNow(30),
      models: null,
      addresses: [],
      note: '',
      limits: NO_LIMIT_TEXTS,
      ...initialValues,
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      day: (day, { expiry }) => (expiry === 'custom' && !isFuture(day) ? 'Choose a date in the future' : null),
      models: (models) => (models?.length === 0 ? 'Choose at least one model' : null),
      limits: validateLimits,
    },
  });
}

export type KeyForm = ReturnType<typeof useKeyForm>;

/** The values to send; an expiry and limits that are kept are left out. */
export function toKeyInput(
  { name, expiry, day, models, addresses, note, limits }: KeyFormValues,
  limitsBefore?: LimitTexts,
): KeyInput {
  const changed = toLimitInput(limits, limitsBefore);
  return {
    name: name.trim(),
    note: note.trim(),
    models,
    addresses: addresses.length > 0 ? addresses : null,
    ...(expiry !== 'keep' && { expiresAt: expiryOf(expiry, day)?.toISOString() ?? null }),
    ...(Object.keys(changed).length > 0 && { limits: changed }),
  };
}

/** Shows an error at the field that it names; other errors are returned, to be shown for the whole form. */
export function showAtField(form: KeyForm, error: unknown): string | null {
  const field = error instanceof ApiError ? toField(error.param, form.getValues()) : null;
  if (!field) return messageOf(error);
  form.setFieldError(field, messageOf(error));
  return null;
}

function toField(param: string | null, { expiry, models }: KeyFormValues): string | null {
  const [name = ''] = (param ?? '').split('[');
  if (name === 'expiresAt') return expiry === 'custom' ? 'day' : 'expiry';
  if (name === 'models') return models === null ? null : name;
  return ['name', 'note', 'addresses'].includes(name) || name.startsWith('limits.') ? name : null;
}

function isFuture(day: string): boolean {
  const expiry = expiryOf('custom', day);
  return expiry !== null && expiry.getTime() > Date.now();
}
