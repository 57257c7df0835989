import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session';
import { DialogEnd } from '../kit/dialog';
import { BudgetBars, RateBars } from '../kit/limit-bars';
import { toLimitTexts } from '../kit/limits';
import { notifyDone } from '../kit/notify';
import { useSubmit } from '../kit/use-submit';
import { KeyFields } from './key-fields';
import { defaultChoice, type KeyForm, showAtField, toKeyInput, useKeyForm } from './key-form';
import { type CreatedKey, createKey, type KeyView, updateKey } from './keys-api';
import {
  AccountField,
  type ChosenOwner,
  type KeyProject,
  OwnerChoice,
  ownerOf,
  toChosenProject,
  toChosenUser,
  toOwnerInput,
} from './owner-choice';

interface KeyFormFrameProps {
  form: KeyForm;
  submitLabel: string;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** Submits a form once, shows the progress and the gateway's error. */
function KeyFormFrame({ form, submitLabel, onSubmit, onClose, children }: KeyFormFrameProps) {
  const { submit, isBusy, fault } = useSubmit(onSubmit, (error) => showAtField(form, error));
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        {children}
        <DialogEnd fault={fault} onCancel={onClose}>
          <Button type="submit" loading={isBusy}>
            {submitLabel}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

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

interface EditKeyProps {
  apiKey: KeyView;
  onClose: () => void;
}

export function EditKey({ apiKey: key, onClose }: EditKeyProps) {
  const { name, note, models, addresses, expiresAt } = key;
  const limits = toLimitTexts(key.limits);
  const form = useKeyForm({ name, note, models, addresses: addresses ?? [], expiry: 'keep', limits });
  const save = async () => {
    const input = toKeyInput(form.values, limits);
    // An unchanged list may contain models that the owner can no longer use; only a changed one is checked.
    const { models: same, ...rest } = input;
    await updateKey(key.id, JSON.stringify(same) === JSON.stringify(models) ? rest : input);
    notifyDone(`${input.name} is saved`);
    onClose();
  };
  return (
    <KeyFormFrame form={form} submitLabel="Save" onSubmit={save} onClose={onClose}>
      {key.rates.length > 0 && <RateBars rates={key.rates} />}
      {key.budgets.length > 0 && <BudgetBars budgets={key.budgets} />}
      <KeyFields form={form} owner={ownerOf(key)} currentExpiry={expiresAt} />
    </KeyFormFrame>
  );
}
