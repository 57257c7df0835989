import { Button, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { SearchField } from '../../kit/search-field';
import { Select } from '../../kit/select';
import classes from './audit.module.css';
import { actionsQuery } from './audit-api';
import { actionChoices, TARGET_KINDS } from './audit-words';
import type { AuditControls } from './use-audit-search';

const TYPING_MS = 300;
const KINDS = Object.entries(TARGET_KINDS).map(([value, label]) => ({ value, label }));

/** The filters of the list, all stored in the address. */
export function AuditFilters({ values, change, isNarrowed, clear }: AuditControls) {
  const actions = useQuery(actionsQuery);
  const { action = null, target, actor, from = '', to = '' } = values;
  return (
    <Group gap="xs" mb="sm" align="flex-end">
      <TypedSearch value={values.q ?? ''} onChange={(q) => change({ q: q || undefined })} />
      <Select
        className={classes.filter}
        aria-label="Action"
        placeholder="Any action"
        comboboxProps={{ width: 240, position: 'bottom-start' }}
        data={withValue(actionChoices(actions.data ?? []), action)}
        value={action}
        onChange={(value) => change({ action: value ?? undefined })}
        searchable
        clearable
      />
      <Select
        className={classes.filter}
        aria-label="Target"
        placeholder="Any target"
        data={target?.includes(':') ? [...KINDS, { value: target, label: 'One target' }] : KINDS}
        value={target ?? null}
        onChange={(value) => change({ target: value ?? undefined })}
        clearable
      />
      <TextInput
        className={classes.day}
        type="date"
        aria-label="From day"
        leftSection="From"
        leftSectionWidth={52}
        value={from}
        max={to || undefined}
        onChange={(event) => change({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        className={classes.day}
        type="date"
        aria-label="To day"
        leftSection="To"
        leftSectionWidth={36}
        value={to}
        min={from || undefined}
        onChange={(event) => change({ to: event.currentTarget.value || undefined })}
      />
      {actor && (
        <Button variant="light" size="sm" onClick={() => change({ actor: undefined })} aria-label="Show all entries">
          By one person ×
        </Button>
      )}
      {isNarrowed && (
        <Button variant="subtle" color="gray" onClick={clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}

/** Asks the gateway after a pause in typing. */
function TypedSearch({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value);
  const tell = useDebouncedCallback(onChange, TYPING_MS);
  useEffect(() => setText(value), [value]);
  return (
    <SearchField
      label="Search the log"
      value={text}
      onChange={(typed) => {
        setText(typed);
        tell(typed);
      }}
    />
  );
}

/** The action in the address stays a choice even if the log has no recent one. */
function withValue(choices: ReturnType<typeof actionChoices>, value: string | null) {
  const isKnown = value === null || choices.some(({ items }) => items.some((item) => item.value === value));
  return isKnown ? choices : [...choices, { group: 'Chosen', items: [{ value, label: value }] }];
}
