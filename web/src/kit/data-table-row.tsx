import Ellipsis from 'icon:ellipsis';
import { ActionIcon, Checkbox } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import classes from './data-table.module.css';
import type { Column } from './data-table.types';
import { DataTableCell } from './data-table-cell';
import { DropMenu } from './drop-menu';
import type { MenuParts } from './overlays';
import { Table } from './table';

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
          <Checkbox size="xs" aria-label={`Select ${label}`} checked={isSelected} onChange={() => onSelect(row)} />
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
