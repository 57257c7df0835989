import Columns3 from 'icon:columns-3';
import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Column } from './data-table-rows';
import { DropMenu } from './on-demand';

/**
 * The columns of a table as the person has chosen them in this browser, and the menu for that. Without a choice, the width
 * of the table decides about those with `narrow`; a chosen column is shown at any width.
 */
export function useChosenColumns<T>(label: string, columns: readonly Column<T>[]) {
  const [choices, setChoices] = useLocalStorage<Record<string, boolean>>({
    key: `columns-${label.toLowerCase().replaceAll(' ', '-')}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const shown = useMemo(
    () =>
      columns
        .filter(({ key }) => choices[key] !== false)
        .map((column) => (choices[column.key] ? { ...column, narrow: undefined } : column)),
    [columns, choices],
  );
  const hasChoice = columns.some(({ narrow }) => narrow !== undefined);
  const chooser = hasChoice && (
    <ColumnChooser
      label={label}
      columns={columns}
      shown={shown.map(({ key }) => key).join()}
      onChoose={(key, isShown) => setChoices({ ...choices, [key]: isShown })}
    />
  );
  return { shown, chooser };
}

interface ColumnChooserProps<T> {
  label: string;
  columns: readonly Column<T>[];
  /** The keys of the columns that are not hidden by a choice. */
  shown: string;
  onChoose: (key: string, isShown: boolean) => void;
}

/** A menu of the table's columns; it says how many of them are hidden. */
function ColumnChooser<T>({ label, columns, shown, onChoose }: ColumnChooserProps<T>) {
  const optional = columns.filter(({ onCard }) => onCard !== 'title');
  const visible = useVisibleColumns(label, shown);
  const hidden = visible.size === 0 ? 0 : optional.filter(({ key }) => !visible.has(key)).length;
  return (
    <DropMenu
      target={
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          visibleFrom="md"
          ml="auto"
          leftSection={<Columns3 size={15} aria-hidden="true" />}
        >
          {hidden === 0 ? 'Columns' : `Columns (${hidden} hidden)`}
        </Button>
      }
    >
      {(Menu) =>
        optional.map(({ key, header }) => (
          <Menu.CheckboxItem
            key={key}
            checked={visible.has(key)}
            closeMenuOnClick={false}
            onChange={(isShown) => onChoose(key, isShown)}
          >
            {header}
          </Menu.CheckboxItem>
        ))
      }
    </DropMenu>
  );
}

/** The keys of the columns that the table shows at its present width; none while it loads. */
function useVisibleColumns(label: string, shown: string): ReadonlySet<string> {
  const [visible, setVisible] = useState<ReadonlySet<string>>(new Set());
  const measured = useRef('');
  const look = useCallback(() => {
    const found = visibleColumns(label);
    setVisible((known) => (known.symmetricDifference(found).size === 0 ? known : found));
  }, [label]);
  // When the table appears, and when it has other columns; measuring it after each drawing would slow a long list down.
  useEffect(() => {
    if (measured.current === shown && visible.size > 0) return;
    measured.current = shown;
    look();
  });
  useEffect(() => {
    window.addEventListener('resize', look);
    return () => window.removeEventListener('resize', look);
  }, [look]);
  return visible;
}

function visibleColumns(label: string): Set<string> {
  const heads = document.querySelectorAll<HTMLElement>(`table[aria-label="${CSS.escape(label)}"] th[data-column]`);
  return new Set(
    [...heads].filter((head) => head.getClientRects().length > 0).map(({ dataset }) => dataset.column ?? ''),
  );
}
