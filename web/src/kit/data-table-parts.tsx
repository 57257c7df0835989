import SearchX from 'icon:search-x';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './data-table.module.css';
import { formatNumber } from './numbers';
import { EmptyState } from './states';

/** The selected rows; rows that are gone do not count. */
export function useSelection<T>(rows: readonly T[], keyOf: (row: T) => string) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter((row) => keys.has(keyOf(row)));
  return {
    selected,
    has: (row: T) => keys.has(keyOf(row)),
    toggle: (row: T) => setKeys((known) => new Set(known).symmetricDifference(new Set([keyOf(row)]))),
    toggleAll: (among: readonly T[]) =>
      setKeys(among.every((row) => keys.has(keyOf(row))) ? new Set() : new Set(among.map(keyOf))),
    clear: () => setKeys(new Set()),
  };
}

export type Selection<T> = ReturnType<typeof useSelection<T>>;

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth'];

export function DataTableSkeleton({ label, columns }: { label: string; columns: number }) {
  const widths = Array.from({ length: Math.min(columns, 5) }, (_, index) => `${[24, 18, 14, 16, 12][index]}%`);
  return (
    <Stack gap="lg" p="md" role="status" aria-busy="true" aria-label={`Loading ${label}`}>
      {ROWS.map((row) => (
        <Group key={row} justify="space-between" wrap="nowrap">
          {widths.map((width) => (
            <Skeleton key={width} h={12} w={width} />
          ))}
        </Group>
      ))}
    </Stack>
  );
}

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

/** Rows are loaded when their place comes so near to the window. */
const AHEAD_PX = 800;

/** Calls back when someone scrolls near the element, and again if it is still near after that. */
function useNearEnd(onNear: () => void, isReady: boolean) {
  const end = useRef<HTMLDivElement>(null);
  const hasScrolled = useRef(false);
  useEffect(() => {
    if (!isReady) return;
    const look = () => {
      const top = end.current?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
      if (top < window.innerHeight + AHEAD_PX) onNear();
    };
    const onScroll = () => {
      hasScrolled.current = true;
      look();
    };
    if (hasScrolled.current) look();
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [onNear, isReady]);
  return end;
}

interface ShowMoreProps {
  shown?: number;
  /** The number of rows, if it is known: "1,204". */
  of?: string | null;
  onClick: () => void;
  isLoading?: boolean;
  hasFailed?: boolean;
}

/** The end of a list that has more rows: they are loaded when someone scrolls near it, or presses the button. */
export function ShowMore({ shown = 0, of, onClick, isLoading = false, hasFailed = false }: ShowMoreProps) {
  const end = useNearEnd(onClick, !isLoading && !hasFailed);
  return (
    <Group justify="center" mt="md" gap="sm" ref={end}>
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
