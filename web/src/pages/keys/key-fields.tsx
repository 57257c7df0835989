import { Collapse, Stack, TagsInput, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { useSession } from '../../api/session';
import { ExpiryField } from './expiry-field';
import type { KeyForm } from './key-form';
import classes from './keys.module.css';
import { ModelsField } from './models-field';

interface KeyFieldsProps {
  form: KeyForm;
  ownerId: string;
  /** Of a key that there is already. */
  currentExpiry?: string | null;
}

/** The fields of a key, at its making and later. */
export function KeyFields({ form, ownerId, currentExpiry }: KeyFieldsProps) {
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
        ownerId={ownerId}
        value={models}
        onChange={(value) => form.setFieldValue('models', value)}
        error={form.errors.models}
      />
      <Advanced form={form} />
    </Stack>
  );
}

function Advanced({ form }: { form: KeyForm }) {
  const { addresses, note } = form.getInitialValues();
  const [isOpen, setOpen] = useState(addresses.length > 0 || note !== '');
  const hasError = form.errors.addresses !== undefined || form.errors.note !== undefined;
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.advanced}
        aria-expanded={isOpen || hasError}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={15} aria-hidden="true" />
        Allowed addresses and a note
      </UnstyledButton>
      <Collapse expanded={isOpen || hasError} id={id}>
        <Stack gap="md" pt="sm">
          <TagsInput
            label="Allowed addresses"
            description="The key works from these only, for example 203.0.113.7 or 10.0.0.0/8. Empty: from anywhere."
            placeholder={form.values.addresses.length === 0 ? 'Type an address and press Enter' : undefined}
            splitChars={[',', ' ']}
            acceptValueOnBlur
            {...form.getInputProps('addresses')}
          />
          <Textarea label="Note" autosize minRows={2} maxRows={5} maxLength={500} {...form.getInputProps('note')} />
        </Stack>
      </Collapse>
    </div>
  );
}
