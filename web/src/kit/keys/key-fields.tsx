import { Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useSession } from '../../api/session';
import { Fold } from '../fold';
import { ExpiryField } from './expiry-field';
import type { KeyForm } from './key-form';
import { KeyLimitsFields } from './key-limits-fields';
import type { KeyOwner } from './key-owner';
import { ModelsField } from './models-field';

interface KeyFieldsProps {
  form: KeyForm;
  owner: KeyOwner;
  /** Set for an existing key. */
  currentExpiry?: string | null;
}

/** The fields of a new or existing key. */
export function KeyFields({ form, owner, currentExpiry }: KeyFieldsProps) {
  const { keyPolicy } = useSession();
  const { expiry, day, models } = form.values;
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description="What uses it: a machine, an application, a person."
        maxLength={100}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
        onFocus={(event) => event.currentTarget.select()}
      />
      <ExpiryField
        policy={keyPolicy}
        current={currentExpiry}
        choice={expiry}
        day={day}
        onChoice={(choice) => form.setFieldValue('expiry', choice)}
        onDay={(value) => form.setFieldValue('day', value)}
        error={form.errors.expiry ?? form.errors.day}
      />
      <ModelsField
        owner={owner}
        value={models}
        onChange={(value) => form.setFieldValue('models', value)}
        error={form.errors.models}
      />
      <KeyLimitsFields form={form} owner={owner} />
      <Advanced form={form} />
    </Stack>
  );
}

function Advanced({ form }: { form: KeyForm }) {
  const { addresses, note } = form.getInitialValues();
  return (
    <Fold
      label="Allowed addresses and a note"
      isOpenAtFirst={addresses.length > 0 || note !== ''}
      hasError={form.errors.addresses !== undefined || form.errors.note !== undefined}
    >
      <Stack gap="md" pt="sm">
        <TagsInput
          label="Allowed addresses"
          description="The key works only from these addresses, for example 203.0.113.7 or 10.0.0.0/8. Leave empty to allow any address."
          placeholder={form.values.addresses.length === 0 ? 'Type an address and press Enter' : undefined}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('addresses')}
        />
        <Textarea label="Note" autosize minRows={2} maxRows={5} maxLength={500} {...form.getInputProps('note')} />
      </Stack>
    </Fold>
  );
}
