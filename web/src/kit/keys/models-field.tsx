import { Input, MultiSelect, SegmentedControl, Stack } from '@mantine/core';
import { useId } from 'react';
import { messageOf } from '../../api/api-error';
import { useSession } from '../../api/session';
import type { KeyOwner } from './key-owner';
import { useOwnerModels } from './use-owner-models';

interface ModelsFieldProps {
  owner: KeyOwner;
  /** Null: all that the owner can use. */
  value: string[] | null;
  onChange: (models: string[] | null) => void;
  error?: React.ReactNode;
}

/** The models that a key can use: all that its owner can, or some. */
export function ModelsField({ owner, value, onChange, error }: ModelsFieldProps) {
  const { ids, error: failure, isPending } = useOwnerModels(owner);
  const id = useId();
  const isOwn = useSession().user.id === owner.userId;
  const who = isOwn ? 'you' : owner.projectId === null ? 'the owner' : 'the project';
  return (
    <Stack gap={6}>
      <Input.Label id={id}>Models</Input.Label>
      <SegmentedControl
        aria-labelledby={id}
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
        data={[
          { value: 'all', label: `All models that ${who} can call` },
          { value: 'some', label: 'Only some' },
        ]}
      />
      {value !== null && (
        <MultiSelect
          aria-label="Models that the key can call"
          placeholder={value.length === 0 ? 'Pick models' : undefined}
          data={[...new Set([...ids, ...value])]}
          value={value}
          onChange={onChange}
          searchable
          clearable
          hidePickedOptions
          nothingFoundMessage={isPending ? 'Loading…' : 'No such model'}
          error={error ?? (failure ? messageOf(failure) : undefined)}
          comboboxProps={{ withinPortal: true }}
        />
      )}
    </Stack>
  );
}
