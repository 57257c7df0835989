import { Badge, Button, Checkbox, Loader, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { ChevronDown, Search } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { FILTER_LABELS, type FilterOption, useFilterOptions } from './filter-options';
import type { FilterName } from './use-usage-search';

const SEARCHED_FROM = 8;

export interface ChosenFilterProps {
  name: FilterName;
  scope: 'mine' | 'all';
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

/** A button that opens a list to tick: every choice counts at once. */
export function FilterMenu({ name, scope, chosen, onChange }: ChosenFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const { data: options, error } = useFilterOptions(name, scope, isOpen);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={280} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          fw={500}
          px="sm"
          rightSection={<ChevronDown size={14} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {FILTER_LABELS[name]}
          {chosen.length > 0 && (
            <Badge size="xs" circle variant="filled" ml={6}>
              {chosen.length}
            </Badge>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={`Filter by ${FILTER_LABELS[name].toLowerCase()}`}>
        {options ? (
          <OptionList label={FILTER_LABELS[name]} options={options} chosen={chosen} onChange={onChange} />
        ) : (
          <Text size="sm" c="dimmed" p="xs">
            {error ? messageOf(error) : <Loader size="sm" />}
          </Text>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface OptionListProps {
  label: string;
  options: readonly FilterOption[];
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

function OptionList({ label, options, chosen, onChange }: OptionListProps) {
  const [text, setText] = useState('');
  const found = options.filter((option) =>
    `${option.label} ${option.detail ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <Stack gap="xs">
      {options.length >= SEARCHED_FROM && (
        <TextInput
          aria-label={`Search ${label.toLowerCase()}s`}
          placeholder="Search"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          leftSection={<Search size={14} aria-hidden />}
        />
      )}
      <ScrollArea.Autosize mah={280} type="auto">
        <Checkbox.Group value={[...chosen]} onChange={onChange} aria-label={label}>
          <Stack gap={2}>
            {found.map(({ id, label: text, detail }) => (
              <Checkbox key={id} value={id} size="xs" label={text} description={detail} p={6} />
            ))}
          </Stack>
        </Checkbox.Group>
        {found.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {options.length === 0 ? 'There is nothing to choose from yet.' : 'Nothing matches.'}
          </Text>
        )}
      </ScrollArea.Autosize>
    </Stack>
  );
}
