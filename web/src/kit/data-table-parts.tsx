import SearchX from 'icon:search-x';
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import { EmptyState } from './empty-state';
import { formatNumber } from './numbers';
import type { Selection } from './use-selection';

interface BulkBarProps<T> {
  selection: Selection<T>;
  bulk: ((rows: readonly T[], clear: () => void) => ReactNode) | undefined;
}

/** Actions for the selected rows, while there are any. */
export function BulkBar<T>({ selection: { selected, clear }, bulk }: BulkBarProps<T>) {
  if (!bulk || selected.length === 0) return null;
  return (
    <Group className={classes.bulk} gap="xs" role="region" aria-label="Selected rows">
      <Text size="sm" fw={500}>
        {formatNumber(selected.length)} selected
      </Text>
      {bulk(selected, clear)}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
        Clear
      </Button>
    </Group>
  );
}

/** Shown when search and filters match no rows. */
export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="Nothing matches"
      action={
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    />
  );
}

interface ShowMoreProps {
  shown?: number;
  /** The number of rows, if it is known: "1,204". */
  of?: string | null;
  onClick: () => void;
  isLoading?: boolean;
  hasFailed?: boolean;
}

export function ShowMore({ shown = 0, of, onClick, isLoading = false, hasFailed = false }: ShowMoreProps) {
  return (
    <Group justify="center" mt="md" gap="sm">
      {of && (
        <Text size="sm" c="dimmed">
          {formatNumber(shown)} of {of}
        </Text>
      )}
      <Button variant="default" size="xs" loading={isLoading} onClick={onClick}>
        {hasFailed ? 'That did not work. Try again' : 'Show more'}
      </Button>
    </Group>
  );
}
