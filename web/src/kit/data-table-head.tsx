import ArrowDown from 'icon:arrow-down';
import ArrowUp from 'icon:arrow-up';
import ChevronsUpDown from 'icon:chevrons-up-down';
import { Checkbox, UnstyledButton, VisuallyHidden } from '@mantine/core';
import classes from './data-table.module.css';
import type { Column, Sort } from './data-table.types';
import { Table } from './table';

interface HeadProps<T> {
  columns: readonly Column<T>[];
  sort: Sort | null;
  onSort: (key: string, isNumber: boolean) => void;
  hasMenu: boolean;
  selection?: { all: readonly T[]; count: number; toggleAll: (rows: readonly T[]) => void };
}

export function DataTableHead<T>({ columns, sort, onSort, hasMenu, selection }: HeadProps<T>) {
  return (
    <Table.Thead role="rowgroup" className={classes.head}>
      <Table.Tr role="row">
        {selection && (
          <Table.Th role="columnheader" scope="col" className={classes.tick}>
            <Checkbox
              size="xs"
              aria-label="Select all rows"
              checked={selection.count > 0 && selection.count === selection.all.length}
              indeterminate={selection.count > 0 && selection.count < selection.all.length}
              onChange={() => selection.toggleAll(selection.all)}
            />
          </Table.Th>
        )}
        {columns.map((column) => (
          <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
        ))}
        {hasMenu && (
          <Table.Th role="columnheader" scope="col" className={classes.menu}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        )}
      </Table.Tr>
    </Table.Thead>
  );
}

interface HeadCellProps<T> {
  column: Column<T>;
  sort: Sort | null;
  onSort: (key: string, isNumber: boolean) => void;
}

function HeadCell<T>({ column, sort, onSort }: HeadCellProps<T>) {
  const { key, header, align, width, narrow } = column;
  const isSortable = column.isSortable === true || column.sortValue !== undefined;
  const order = sort?.key === key ? (sort.descending ? 'descending' : 'ascending') : 'none';
  const Icon = { none: ChevronsUpDown, ascending: ArrowUp, descending: ArrowDown }[order];
  return (
    <Table.Th
      role="columnheader"
      scope="col"
      aria-sort={isSortable ? order : undefined}
      ta={align}
      w={width}
      data-narrow={narrow}
    >
      {isSortable ? (
        <UnstyledButton
          className={classes.sort}
          data-order={order}
          data-align={align}
          onClick={() => onSort(key, align === 'right')}
        >
          {header}
          <Icon size={12} aria-hidden="true" />
        </UnstyledButton>
      ) : (
        header
      )}
    </Table.Th>
  );
}
