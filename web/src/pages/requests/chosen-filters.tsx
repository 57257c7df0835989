import { Button, Group, Pill } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatTime } from '../../kit/times';
import { namesQuery } from './chosen-names';
import { FILTER_LABELS, wordOf } from './filter-words';
import { filtersFor, type RequestsControls, withoutFilters } from './use-requests-search';

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
