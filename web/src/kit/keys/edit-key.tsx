import { BudgetBars } from '../budget-bars';
import { toLimitTexts } from '../limits';
import { notifyDone } from '../notify';
import { RateBars } from '../rate-bars';
import { KeyFields } from './key-fields';
import { toKeyInput, useKeyForm } from './key-form';
import { KeyFormFrame } from './key-form-frame';
import { ownerOf } from './key-owner';
import { type KeyView, updateKey } from './keys-api';

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
