import { Table } from '@mantine/core';
import classes from './data-table.module.css';
import type { Column } from './data-table.types';

interface TotalProps<T> {
  row: T;
  columns: readonly Column<T>[];
}

export function DataTableTotal<T>({ row, columns }: TotalProps<T>) {
  return (
    <Table.Tfoot role="rowgroup" className={classes.foot}>
      <Table.Tr role="row" className={classes.row}>
        {columns.map(({ key, header, cell, total = cell, align, narrow, onCard = 'line' }) => (
          <Table.Td
            key={key}
            role="cell"
            ta={align}
            data-align={align}
            data-label={header}
            data-card={onCard}
            data-narrow={narrow}
          >
            {total(row)}
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  );
}
