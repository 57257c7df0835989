import type { ReactNode } from 'react';

export interface Column<T> {
  /** Names the column in the query string. */
  key: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Makes the column sortable; empty values come last, whichever way it is sorted. */
  sortValue?: (row: T) => string | number | null | undefined;
  /** The gateway can sort by it, under the column's key. */
  isSortable?: boolean;
  align?: 'left' | 'right';
  width?: string | number;
  /** Stands in the row of the total instead of `cell`. */
  total?: (row: T) => ReactNode;
  /** Left out where a table is narrower than a desktop's. */
  narrow?: 'hide';
  /** On a small screen a row is a card: its title, a line of it (the default), or left out. */
  onCard?: 'title' | 'line' | 'hide';
}

export interface Sort {
  key: string;
  descending: boolean;
}
