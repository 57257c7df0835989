import { Checkbox, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { FilterOption } from './filter-options';

const SEARCHED_FROM = 8;

interface FilterListProps {
  label: string;
  options: readonly FilterOption[];
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Things to tick; where there are many, with a search. */
export function FilterList({ label, options, chosen, onChange }: FilterListProps) {
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
