import classes from './data-table.module.css';
import type { Column } from './data-table.types';
import { DataTableCell } from './data-table-cell';
import { Table } from './table';

interface TotalProps<T> {
  row: T;
  columns: readonly Column<T>[];
}

export function DataTableTotal<T>({ row, columns }: TotalProps<T>) {
  return (
    <Table.Tfoot role="rowgroup" className={classes.foot}>
      <Table.Tr role="row" className={classes.row}>
        {columns.map((column) => (
          <DataTableCell key={column.key} column={column}>
            {(column.total ?? column.cell)(row)}
          </DataTableCell>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  );
}
