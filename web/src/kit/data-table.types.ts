import type { ReactNode } from 'react';

export interface Column<T> {
  /** The name of the column in the query string. */
  key: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Makes the column sortable; empty values come last in both directions. */
  sortValue?: (row: T) => string | number | null | undefined;
  /** The gateway can sort by it, using the column's key. */
  isSortable?: boolean;
  /** Numbers are aligned right. */
  align?: 'left' | 'right';
  width?: string | number;
  /** Shown in the total row in place of `cell`. */
  total?: (row: T) => ReactNode;
  /** Hidden in tables narrower than on a desktop, or on any but a wide one. */
  narrow?: 'hide' | 'wide';
  /** On a small screen a row is a card: whether the cell is its title, a line (the default) or hidden. */
  onCard?: 'title' | 'line' | 'hide';
}

export interface Sort {
  key: string;
  descending: boolean;
}
