import ArrowDown from 'icon:arrow-down';
import ArrowUp from 'icon:arrow-up';
import ChevronsUpDown from 'icon:chevrons-up-down';
import Ellipsis from 'icon:ellipsis';
import { ActionIcon, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import classes from './data-table.module.css';
import type { Selection } from './data-table-parts';
import { DropMenu } from './on-demand';
import type { MenuParts } from './overlays';
import { Table } from './table';

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

interface CellProps<T> {
  column: Column<T>;
  children: ReactNode;
}

function DataTableCell<T>({ column, children }: CellProps<T>) {
  const { header, align, narrow, onCard = 'line' } = column;
  return (
    <Table.Td role="cell" ta={align} data-align={align} data-label={header} data-card={onCard} data-narrow={narrow}>
      {children}
    </Table.Td>
  );
}

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
            <SelectBox
              label="Select all rows"
              isSelected={selection.count > 0 && selection.count === selection.all.length}
              isPartial={selection.count > 0 && selection.count < selection.all.length}
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
      data-column={key}
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

interface RowProps<T> {
  row: T;
  label: string;
  columns: readonly Column<T>[];
  menu?: (row: T, parts: MenuParts) => ReactNode;
  onClick?: (row: T) => void;
  isSelected: boolean;
  onSelect?: (row: T) => void;
}

export function DataTableRow<T>({ row, label, columns, menu, onClick, isSelected, onSelect }: RowProps<T>) {
  const open = (event: MouseEvent) => {
    if (!isOnControl(event)) onClick?.(row);
  };
  return (
    <Table.Tr
      role="row"
      className={classes.row}
      data-clickable={onClick ? true : undefined}
      data-selected={isSelected || undefined}
      onClick={onClick && open}
    >
      {onSelect && (
        <Table.Td role="cell" className={classes.tick}>
          <SelectBox label={`Select ${label}`} isSelected={isSelected} onChange={() => onSelect(row)} />
        </Table.Td>
      )}
      {columns.map((column) => (
        <DataTableCell key={column.key} column={column}>
          {column.cell(row)}
        </DataTableCell>
      ))}
      {menu && (
        <Table.Td role="cell" className={classes.menu}>
          <DropMenu
            width={210}
            target={
              <ActionIcon aria-label={`Actions for ${label}`}>
                <Ellipsis size={17} aria-hidden="true" />
              </ActionIcon>
            }
          >
            {(parts) => menu(row, parts)}
          </DropMenu>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/**
 * A click on an element of the row with its own action. Menus are outside the row in the document, but their clicks
 * reach it.
 */
function isOnControl({ target, currentTarget }: MouseEvent): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return true;
  return target.closest('a, button, input, label, [role="menuitem"]') !== null;
}

const ROWS_OF_BODY = 25;
/** The first bodies are drawn at once, others when they come so near to the window. */
const DRAWN_AT_ONCE = 2;
const NEAR = '1000px 0px';
/** Of a row that has not been drawn yet. */
const ROW_HEIGHT = 49;

interface TableBodiesProps<T> {
  rows: readonly T[];
  children: (row: T) => ReactNode;
}

/**
 * Rows in bodies of 25: those far from the window are empty, so that a list of any length scrolls smoothly. Short lists
 * are always whole, also for a printer and the browser's search.
 */
export function TableBodies<T>({ rows, children }: TableBodiesProps<T>) {
  if (rows.length <= DRAWN_AT_ONCE * ROWS_OF_BODY)
    return <Table.Tbody role="rowgroup">{rows.map(children)}</Table.Tbody>;
  const count = Math.ceil(rows.length / ROWS_OF_BODY);
  return Array.from({ length: count }, (_, index) => {
    const part = rows.slice(index * ROWS_OF_BODY, (index + 1) * ROWS_OF_BODY);
    const height = index < DRAWN_AT_ONCE ? null : part.length * ROW_HEIGHT;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a body is a place in the list.
      <TableBody key={index} initialHeight={height}>
        {() => part.map(children)}
      </TableBody>
    );
  });
}

interface TableBodyProps {
  /** Null: its rows are drawn at once. */
  initialHeight: number | null;
  children: () => ReactNode;
}

function TableBody({ initialHeight, children }: TableBodyProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  /** The height of the rows that are not drawn. */
  const [height, setHeight] = useState(initialHeight);
  useEffect(() => {
    const element = body.current;
    if (!element) return;
    // A busy browser reports several changes at once: the last one is how it is now.
    const look = (entries: IntersectionObserverEntry[]) => {
      const entry = entries.at(-1);
      if (!entry || element.contains(document.activeElement)) return;
      setHeight(entry.isIntersecting ? null : entry.boundingClientRect.height);
    };
    const observer = new IntersectionObserver(look, { rootMargin: NEAR });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <tbody ref={body} role={height === null ? 'rowgroup' : 'presentation'}>
      {height === null ? (
        children()
      ) : (
        <tr>
          <td style={{ height, padding: 0 }} />
        </tr>
      )}
    </tbody>
  );
}

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
      <TableBodies rows={rows}>
        {(row) => (
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
        )}
      </TableBodies>
      {props.footer}
    </Table>
  );
}

interface SelectBoxProps {
  label: string;
  isSelected: boolean;
  /** Some of the rows that it selects are selected. */
  isPartial?: boolean;
  onChange: () => void;
}

/** Of the browser: Mantine's check box is for forms, with a label and a description. */
function SelectBox({ label, isSelected, isPartial = false, onChange }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      className={classes.selectBox}
      aria-label={label}
      checked={isSelected}
      onChange={onChange}
      ref={(box) => {
        if (box) box.indeterminate = isPartial;
      }}
    />
  );
}
