import Check from 'icon:check';
import { Group, type SelectProps, Stack, Text } from '@mantine/core';
import { formatPrice } from '../../kit/numbers';
import { Quantity } from '../../kit/quantity';
import { Select } from '../../kit/select';
import type { ModelView } from './chat.types';
import classes from './playground.module.css';

interface ModelSelectProps {
  models: readonly ModelView[];
  value: string;
  onChange: (id: string) => void;
}

/** The callable models, by owner; typing searches names and ids. */
export function ModelSelect({ models, value, onChange }: ModelSelectProps) {
  const callable = models.filter(({ callable }) => callable);
  const byId = new Map(callable.map((model) => [model.id, model]));
  const owners = [...new Set(callable.map(({ ownedBy }) => ownedBy))];
  const renderOption: SelectProps['renderOption'] = ({ option, checked }) => {
    const model = byId.get(option.value);
    return model ? <Option model={model} checked={checked ?? false} /> : option.label;
  };
  return (
    <Select
      label="Model"
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      placeholder="Choose a model"
      onClick={(event) => event.currentTarget.select()}
      nothingFoundMessage="No such model"
      value={byId.has(value) ? value : null}
      onChange={(id) => id !== null && onChange(id)}
      maxDropdownHeight={380}
      comboboxProps={{ width: 340, position: 'bottom-end' }}
      renderOption={renderOption}
      filter={({ options, search }) => matchingGroups(options, search, byId)}
      data={owners.map((group) => ({
        group,
        items: callable
          .filter(({ ownedBy }) => ownedBy === group)
          .map(({ id, displayName }) => ({ value: id, label: displayName })),
      }))}
    />
  );
}

function Option({ model, checked }: { model: ModelView; checked: boolean }) {
  const { displayName, id, contextLength, price, hasPrice, simulated } = model;
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm" w="100%">
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={500}>
          {displayName}
        </Text>
        <Text size="xs" c="dimmed" className={classes.optionId}>
          {id}
        </Text>
      </Stack>
      <Stack gap={0} ta="right" className={classes.optionFacts}>
        <Text size="xs" c="dimmed">
          <Quantity value={contextLength} />
          {simulated && ' · simulated'}
        </Text>
        <Text size="xs" c="dimmed">
          {hasPrice ? `${formatPrice(price.inputUsdPerMTok)} / ${formatPrice(price.outputUsdPerMTok)}` : 'No price'}
        </Text>
      </Stack>
      {checked && <Check size={15} aria-hidden="true" />}
    </Group>
  );
}

type Options = Parameters<NonNullable<SelectProps['filter']>>[0]['options'];

/** Those whose name, id or owner contains the typed text. */
function matchingGroups(options: Options, search: string, models: ReadonlyMap<string, ModelView>): Options {
  const wanted = search.trim().toLocaleLowerCase();
  return options.flatMap((group) => {
    if (!('items' in group)) return [];
    const items = group.items.filter((item) => {
      const value = typeof item === 'string' ? item : String(item.value);
      return `${value} ${models.get(value)?.displayName} ${group.group}`.toLocaleLowerCase().includes(wanted);
    });
    return items.length > 0 ? [{ ...group, items }] : [];
  });
}
