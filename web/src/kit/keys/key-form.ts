import { useForm } from '@mantine/form';
import { ApiError, messageOf } from '../../api/api-error';
import { type LimitTexts, NO_LIMIT_TEXTS, toLimitInput, validateLimits } from '../limits';
import { dayFromNow, expiryOf } from './expiry';
import type { KeyInput } from './keys-api';

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
