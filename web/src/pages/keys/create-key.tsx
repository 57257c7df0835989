import { Select } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { useUserSearch } from '../../kit/use-user-search';
import { userLabel } from '../../kit/user-label';
import { defaultChoice } from './expiry';
import { KeyFields } from './key-fields';
import { toKeyInput, useKeyForm } from './key-form';
import { KeyFormFrame } from './key-form-frame';
import { type CreatedKey, createKey } from './keys-api';

interface CreateKeyProps {
  /** A name that no key of the owner has. */
  newName: string;
  onCreated: (created: CreatedKey) => void;
  onClose: () => void;
}

export function CreateKey({ newName, onCreated, onClose }: CreateKeyProps) {
  const { user, keyPolicy } = useSession();
  const [ownerId, setOwnerId] = useState(user.id);
  const form = useKeyForm({ name: newName, expiry: defaultChoice(keyPolicy) });
  // The chosen models may be more than the new owner's plan includes.
  const changeOwner = (userId: string) => {
    setOwnerId(userId);
    form.setFieldValue('models', (models) => models && []);
  };
  const create = async () => {
    const owner = ownerId === user.id ? {} : { userId: ownerId };
    onCreated(await createKey({ ...toKeyInput(form.values), ...owner }));
  };
  return (
    <KeyFormFrame form={form} submitLabel="Create key" onSubmit={create} onClose={onClose}>
      {user.role === 'admin' && <OwnerField value={ownerId} onChange={changeOwner} />}
      <KeyFields form={form} ownerId={ownerId} />
    </KeyFormFrame>
  );
}

/** Admins create keys for others, too: a service account cannot do it itself. */
function OwnerField({ value, onChange }: { value: string; onChange: (userId: string) => void }) {
  const { user: me } = useSession();
  const users = useUserSearch(
    (user) => (user.kind === 'service' ? `${userLabel(user)} (service account)` : userLabel(user)),
    {
      value: me.id,
      label: `${me.email} (you)`,
    },
  );
  return (
    <Select
      label="For"
      {...users}
      value={value}
      onChange={(userId) => userId && onChange(userId)}
      allowDeselect={false}
      searchable
      onClick={(event) => event.currentTarget.select()}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        // A search without a match must not create a key for the previous owner.
        if (event.key === 'Enter' && event.currentTarget.getAttribute('aria-expanded') === 'true')
          event.preventDefault();
      }}
    />
  );
}
