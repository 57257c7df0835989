import { useForm } from '@mantine/form';
import { ApiError, messageOf } from '../../api/api-error';
import { dayFromNow, expiryOf } from './expiry';
import type { KeyWish } from './keys-api';

/** What is filled in about a key. */
export interface KeyFormValues {
  name: string;
  expiry: string;
  day: string;
  models: string[] | null;
  addresses: string[];
  note: string;
}

export function useKeyForm(initialValues: Partial<KeyFormValues> & Pick<KeyFormValues, 'name' | 'expiry'>) {
  return useForm<KeyFormValues>({
    initialValues: { day: dayFromNow(30), models: null, addresses: [], note: '', ...initialValues },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      day: (day, { expiry }) => (expiry === 'custom' && !isFuture(day) ? 'Choose a day that is yet to come' : null),
      models: (models) => (models?.length === 0 ? 'Pick at least one model' : null),
    },
  });
}

export type KeyForm = ReturnType<typeof useKeyForm>;

/** What is sent of the form; an expiry that is kept is left out. */
export function toWish({ name, expiry, day, models, addresses, note }: KeyFormValues): KeyWish {
  return {
    name: name.trim(),
    note: note.trim(),
    models,
    addresses: addresses.length > 0 ? addresses : null,
    ...(expiry !== 'keep' && { expiresAt: expiryOf(expiry, day)?.toISOString() ?? null }),
  };
}

/** Shows an error at the field that it names; what names none is returned, to be shown for the whole form. */
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
  return ['name', 'note', 'addresses'].includes(name) ? name : null;
}

function isFuture(day: string): boolean {
  const expiry = expiryOf('custom', day);
  return expiry !== null && expiry.getTime() > Date.now();
}
