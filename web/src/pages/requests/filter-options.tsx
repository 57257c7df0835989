import Search from 'icon:search';
import { Checkbox, Group, Loader, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { formatNumber } from '../../kit/numbers';
import { searchable } from '../../kit/shortcuts';
import classes from './requests.module.css';
import {
  FACET_OF,
  type FacetOption,
  FILTER_LABELS,
  facetQuery,
  ownProjectsQuery,
  SINGLE,
  wordOf,
} from './requests-queries';
import type { FilterName, RequestsControls } from './use-requests-search';

const SEARCHED_FROM = 8;

/** The values of a filter with their numbers of requests; every choice takes effect immediately. */
export function FilterOptions({ name, search, isAdmin, change }: RequestsControls & { name: FilterName }) {
  // A member's own requests are in no project, so there is nothing to count before one is chosen.
  const isOfProjects = name === 'projects' && search.scope === 'mine' && !isAdmin;
  const counted = useQuery({ ...facetQuery(search, FACET_OF[name]), enabled: !isOfProjects });
  const own = useQuery({ ...ownProjectsQuery(), enabled: isOfProjects });
  const { data, error } = isOfProjects ? own : counted;
  const [text, setText] = useState('');
  const chosen = search.filters[name];
  if (!data) {
    return (
      <Text size="sm" c="dimmed" p="xs" component="div">
        {error ? messageOf(error) : <Loader size="sm" />}
      </Text>
    );
  }
  const found = data.options.filter((option) => holds(option, name, text));
  const choose = (ids: string[]) => {
    const stored = SINGLE.includes(name) ? ids.slice(-1) : ids;
    change({ [name]: stored.join(',') || undefined });
  };
  return (
    <Stack gap="xs">
      {(data.options.length >= SEARCHED_FROM || text !== '') && (
        <TextInput
          aria-label={`Search ${FILTER_LABELS[name].toLowerCase()}s`}
          placeholder="Search"
          value={text}
          onChange={(event) => setText(searchable(event.currentTarget.value))}
          leftSection={<Search size={14} aria-hidden />}
        />
      )}
      <ScrollArea.Autosize mah={300} type="auto">
        <Checkbox.Group value={chosen} onChange={choose} aria-label={FILTER_LABELS[name]}>
          <Stack gap={0}>
            {found.map((option) => (
              <Checkbox
                key={option.id}
                value={option.id}
                size="xs"
                p={6}
                classNames={{ body: classes.body, labelWrapper: classes.label }}
                label={<OptionLabel word={wordOf(name, option)} count={option.count} />}
                description={option.detail}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        {found.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {data.options.length === 0 ? 'There are no values to choose from.' : 'Nothing matches.'}
          </Text>
        )}
      </ScrollArea.Autosize>
      {data.newest !== null && (
        <Text size="xs" c="dimmed" px={6}>
          Counted in the newest {formatNumber(data.newest)} requests.
        </Text>
      )}
    </Stack>
  );
}

function OptionLabel({ word, count }: { word: string; count: number | null }) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <span className={classes.word}>{word}</span>
      {count !== null && <span className={classes.count}>{formatNumber(count)}</span>}
    </Group>
  );
}

function holds(option: FacetOption, name: FilterName, text: string): boolean {
  return `${wordOf(name, option)} ${option.detail ?? ''}`.toLowerCase().includes(text.trim().toLowerCase());
}
