import type { ReactNode } from 'react';
import type { Column } from './data-table.types';
import { Table } from './table';

interface CellProps<T> {
  column: Column<T>;
  children: ReactNode;
}

export function DataTableCell<T>({ column, children }: CellProps<T>) {
  const { header, align, narrow, onCard = 'line' } = column;
  return (
    <Table.Td role="cell" ta={align} data-align={align} data-label={header} data-card={onCard} data-narrow={narrow}>
      {children}
    </Table.Td>
  );
}
