import Search from 'icon:search';
import { Checkbox, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import type { FilterOption } from './filter-options';

const SEARCHED_FROM = 8;

interface FilterListProps {
  label: string;
  options: readonly FilterOption[];
  /** The options are already the matches of the text. */
  isSearched: boolean;
  text: string;
  onText: (text: string) => void;
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Options to select; with a search if there are many. */
export function FilterList({ label, options, isSearched, text, onText, chosen, onChange }: FilterListProps) {
  const found = options.filter(
    (option) =>
      isSearched || `${option.label} ${option.detail ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <Stack gap="xs">
      {(options.length >= SEARCHED_FROM || text !== '') && (
        <TextInput
          aria-label={`Search ${label.toLowerCase()}s`}
          placeholder="Search"
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
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
            {options.length === 0 && text === '' ? 'There is nothing to choose from yet.' : 'Nothing matches.'}
          </Text>
        )}
      </ScrollArea.Autosize>
    </Stack>
  );
}
