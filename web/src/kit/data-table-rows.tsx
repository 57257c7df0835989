import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import type { Column, Sort } from './data-table.types';
import { DataTableHead } from './data-table-head';
import { DataTableRow } from './data-table-row';
import type { MenuParts } from './overlays';
import { Table } from './table';
import type { Selection } from './use-selection';

interface TableOfRowsProps<T> {
  label: string;
  rows: readonly T[];
  /** The rows that the checkbox in the head selects. */
  all: readonly T[];
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  rowLabel: (row: T) => string;
  sort: Sort | null;
  onSort: (key: string, isNumber: boolean) => void;
  selection: Selection<T>;
  menu?: ((row: T, parts: MenuParts) => ReactNode) | undefined;
  bulk?: (rows: readonly T[], clear: () => void) => ReactNode;
  onRowClick?: (row: T) => void;
  footer?: ReactNode;
}

export function TableOfRows<T>(props: TableOfRowsProps<T>) {
  const { label, rows, all, columns, rowKey, rowLabel, sort, onSort, selection, menu, bulk, onRowClick } = props;
  return (
    <Table
      role="table"
      aria-label={label}
      className={classes.table}
      highlightOnHover={onRowClick !== undefined}
      verticalSpacing={10}
    >
      <DataTableHead
        columns={columns}
        sort={sort}
        onSort={onSort}
        hasMenu={menu !== undefined}
        selection={bulk && { all, count: selection.selected.length, toggleAll: selection.toggleAll }}
      />
      <Table.Tbody role="rowgroup">
        {rows.map((row) => (
          <DataTableRow
            key={rowKey(row)}
            row={row}
            label={rowLabel(row)}
            columns={columns}
            menu={menu}
            onClick={onRowClick}
            isSelected={selection.has(row)}
            onSelect={bulk && selection.toggle}
          />
        ))}
      </Table.Tbody>
      {props.footer}
    </Table>
  );
}
