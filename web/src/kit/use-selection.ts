import { useState } from 'react';

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
