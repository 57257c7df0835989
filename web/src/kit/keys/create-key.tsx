import { useState } from 'react';
import { useSession } from '../../api/session';
import { AccountField } from './account-field';
import { defaultChoice } from './expiry';
import { KeyFields } from './key-fields';
import { toKeyInput, useKeyForm } from './key-form';
import { KeyFormFrame } from './key-form-frame';
import { type ChosenOwner, type KeyProject, toChosenProject, toChosenUser, toOwnerInput } from './key-owner';
import { type CreatedKey, createKey } from './keys-api';
import { OwnerChoice } from './owner-choice';

interface CreateKeyProps {
  /** A name that no key of the owner has. */
  newName: string;
  /** Set on the page of a project: the key belongs to it. */
  project?: KeyProject;
  onCreated: (created: CreatedKey) => void;
  onClose: () => void;
}

export function CreateKey({ newName, project, onCreated, onClose }: CreateKeyProps) {
  const { user, keyPolicy } = useSession();
  const [owner, setOwner] = useState(project ? toChosenProject(project) : toChosenUser(user.id));
  const form = useKeyForm({ name: newName, expiry: defaultChoice(keyPolicy) });
  // The chosen models may be more than the new owner's plan includes.
  const changeOwner = (chosen: ChosenOwner) => {
    setOwner(chosen);
    form.setFieldValue('models', (models) => models && []);
  };
  const create = async () => {
    onCreated(await createKey({ ...toKeyInput(form.values), ...toOwnerInput(owner, user.id) }));
  };
  const Choice = project ? AccountField : OwnerChoice;
  return (
    <KeyFormFrame form={form} submitLabel="Create key" onSubmit={create} onClose={onClose}>
      <Choice value={owner} onChange={changeOwner} />
      <KeyFields form={form} owner={owner} />
    </KeyFormFrame>
  );
}
