import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usersQuery } from '../../api/lists';
import { useSession } from '../../api/session';
import { defaultChoice } from './expiry';
import { KeyFields } from './key-fields';
import { toWish, useKeyForm } from './key-form';
import { KeyFormFrame } from './key-form-frame';
import { type CreatedKey, createKey, type KeyView } from './keys-api';

interface CreateKeyProps {
  /** To find a name that is free. */
  keys: readonly KeyView[];
  onCreated: (created: CreatedKey) => void;
  onClose: () => void;
}

export function CreateKey({ keys, onCreated, onClose }: CreateKeyProps) {
  const { user, keyPolicy } = useSession();
  const [ownerId, setOwnerId] = useState(user.id);
  const form = useKeyForm({ name: freeName(user.email, keys), expiry: defaultChoice(keyPolicy) });
  // What was picked may be more than the plan of somebody else brings.
  const changeOwner = (userId: string) => {
    setOwnerId(userId);
    form.setFieldValue('models', (models) => models && []);
  };
  const create = async () => {
    const owner = ownerId === user.id ? {} : { userId: ownerId };
    onCreated(await createKey({ ...toWish(form.values), ...owner }));
  };
  return (
    <KeyFormFrame form={form} submitLabel="Create key" onSubmit={create} onClose={onClose}>
      {user.role === 'admin' && <OwnerField value={ownerId} onChange={changeOwner} />}
      <KeyFields form={form} ownerId={ownerId} />
    </KeyFormFrame>
  );
}

/** An admin makes keys for others, too: a service account has nobody who could do it himself. */
function OwnerField({ value, onChange }: { value: string; onChange: (userId: string) => void }) {
  const { user: me } = useSession();
  const { data: users = [] } = useQuery(usersQuery);
  const others = users.filter(({ id, status }) => id !== me.id && status !== 'disabled');
  return (
    <Select
      label="For"
      data={[
        { value: me.id, label: `${me.email} (you)` },
        ...others.map(({ id, email, kind }) => ({
          value: id,
          label: kind === 'service' ? `${email} (service account)` : email,
        })),
      ]}
      value={value}
      onChange={(userId) => userId && onChange(userId)}
      allowDeselect={false}
      searchable
      nothingFoundMessage="No such user"
      onClick={(event) => event.currentTarget.select()}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        // A search that finds nobody must not make a key for who was chosen before.
        if (event.key === 'Enter' && event.currentTarget.getAttribute('aria-expanded') === 'true')
          event.preventDefault();
      }}
    />
  );
}

/** "alice-laptop", then "alice-laptop-2" */
function freeName(email: string, keys: readonly KeyView[]): string {
  const taken = new Set(keys.filter(({ status }) => status !== 'revoked').map(({ name }) => name));
  const [local = 'my'] = email.split('@');
  const base = `${local.slice(0, 80)}-laptop`;
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
  return name;
}
