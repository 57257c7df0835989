import ChevronDown from 'icon:chevron-down';
import { Badge, Button, Group, Loader, Pill } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { api, unwrap } from '../../api/client';
import { DropPanel } from '../../kit/on-demand';
import { formatTime } from '../../kit/times';
import classes from './requests.module.css';
import { FILTER_LABELS, wordOf } from './requests-queries';
import {
  type FilterName,
  filtersFor,
  type RequestsControls,
  type RequestsSearch,
  toQuery,
  withoutFilters,
} from './use-requests-search';

/** The names of the keys, users and projects of the active filters, by id. */
function namesQuery(search: RequestsSearch) {
  const { scope, filters } = search;
  const { keys, users, projects } = filters;
  const isOfProjects = scope === 'projects';
  const whose = scope === 'all' ? scope : 'mine';
  return queryOptions({
    queryKey: ['requests', 'names', scope, keys, users, projects],
    queryFn: async ({ signal }): Promise<Record<string, string>> => {
      const [foundUsers, foundProjects, ...foundKeys] = await Promise.all([
        users.length > 0 && !isOfProjects
          ? unwrap(api.GET('/api/users', { params: { query: { ids: users, limit: users.length } }, signal }))
          : null,
        projects.length > 0
          ? unwrap(
              api.GET('/api/projects', {
                params: { query: { scope: whose, status: 'all', ids: projects, limit: projects.length } },
                signal,
              }),
            )
          : null,
        ...(keys.length > 0 && !isOfProjects ? keyListsOf(whose, projects) : []).map((where) =>
          unwrap(api.GET('/api/keys', { params: { query: { ...where, ids: keys, limit: keys.length } }, signal })),
        ),
      ]);
      const of = [...(users.length > 0 ? ['user' as const] : []), ...(keys.length > 0 ? ['key' as const] : [])];
      const facets = await Promise.all(
        (isOfProjects ? of : []).map((facet) => {
          const query = { ...toQuery(search, new Date()), of: facet };
          return unwrap(api.GET('/api/usage/calls/facets', { params: { query }, signal }));
        }),
      );
      return Object.fromEntries([
        ...facets.flatMap(({ options }) => options.map(({ id, label }) => [id, label])),
        ...foundKeys.flatMap(({ items }) => items.map(({ id, name }) => [id, name])),
        ...(foundUsers?.items ?? []).map(({ id, name, email }) => [id, name || email]),
        ...(foundProjects?.items ?? []).map(({ id, name }) => [id, name]),
      ]);
    },
    enabled: keys.length + users.length + projects.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });
}

/** Where the chosen keys can be: a member's list does not have those of projects. */
function keyListsOf(scope: 'mine' | 'all', projects: readonly string[]) {
  return scope === 'all' || projects.length === 0 ? [{ scope }] : projects.map((project) => ({ project }));
}

/** The selected span and the active filters, each with a button to remove it; nothing if there are none. */
export function ChosenFilters({ search, isAdmin, change }: RequestsControls) {
  const names = filtersFor(isAdmin, search.scope).filter((name) => search.filters[name].length > 0);
  const { data: known } = useQuery(namesQuery(search));
  if (names.length === 0 && search.span === null) return null;
  return (
    <Group gap={6} role="group" aria-label="Filters">
      {search.span && (
        <ChosenPill
          what="Time"
          text={`${formatTime(search.span.from, search.range.zone)} – ${formatTime(search.span.to, search.range.zone)}`}
          onRemove={() => change({ since: undefined, until: undefined })}
        />
      )}
      {names.flatMap((name) =>
        search.filters[name].map((id) => (
          <ChosenPill
            key={`${name} ${id}`}
            what={FILTER_LABELS[name]}
            text={wordOf(name, { id, label: known?.[id] ?? id })}
            onRemove={() => change({ [name]: without(search.filters[name], id) })}
          />
        )),
      )}
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        onClick={() => change({ ...withoutFilters(), since: undefined, until: undefined })}
      >
        Clear filters
      </Button>
    </Group>
  );
}

function without(ids: readonly string[], id: string): string | undefined {
  return ids.filter((other) => other !== id).join(',') || undefined;
}

function ChosenPill({ what, text, onRemove }: { what: string; text: string; onRemove: () => void }) {
  return (
    <Pill
      size="md"
      withRemoveButton
      removeButtonProps={{ 'aria-label': `Remove the filter ${what} ${text}`, 'aria-hidden': false, tabIndex: 0 }}
      onRemove={onRemove}
    >
      {text}
    </Pill>
  );
}

const FilterOptions = lazy(() => import('./filter-options').then((module) => ({ default: module.FilterOptions })));

/** A button for each filter, which opens its values with the number of requests of each. */
export function FilterBar(controls: RequestsControls) {
  const { search, isAdmin } = controls;
  return filtersFor(isAdmin, search.scope).map((name) => <FilterButton key={name} name={name} {...controls} />);
}

function FilterButton({ name, ...controls }: RequestsControls & { name: FilterName }) {
  const chosen = controls.search.filters[name].length;
  return (
    <DropPanel
      position="bottom-start"
      width={300}
      dropdown={{ p: 'xs', 'aria-label': FILTER_LABELS[name] }}
      target={
        <Button variant="default" size="compact-sm" className={classes.control} data-chosen={chosen > 0 || undefined}>
          <span>{FILTER_LABELS[name]}</span>
          {chosen > 0 && (
            <Badge size="xs" circle variant="filled" ml={6}>
              {chosen}
            </Badge>
          )}
          <ChevronDown size={13} aria-hidden style={{ marginInlineStart: 4 }} />
        </Button>
      }
    >
      <Suspense fallback={<Loader size="sm" m="xs" />}>
        <FilterOptions name={name} {...controls} />
      </Suspense>
    </DropPanel>
  );
}
