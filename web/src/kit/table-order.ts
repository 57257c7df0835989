import type { Column, Sort } from './data-table-rows';

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The rows in the chosen order; rows without a value come last in both directions. */
export function sorted<T>(rows: readonly T[], columns: readonly Column<T>[], sort: Sort | null): readonly T[] {
  const sortValueOf = columns.find(({ key }) => key === sort?.key)?.sortValue;
  if (!sort || !sortValueOf) return rows;
  const direction = sort.descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [sortValueOf(a), sortValueOf(b)];
    if (isEmpty(x) || isEmpty(y)) return Number(isEmpty(x)) - Number(isEmpty(y));
    return direction * compared(x, y);
  });
}

/** The rows whose text contains every word of the search. */
export function matching<T>(rows: readonly T[], search: string, textOf?: (row: T) => string): readonly T[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 || !textOf) return rows;
  return rows.filter((row) => {
    const text = textOf(row).toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** `-created` is newest first. */
export function parseSort(text: string): Sort | null {
  if (text === '') return null;
  return text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false };
}

export function formatSort(sort: Sort | null): string {
  return sort ? `${sort.descending ? '-' : ''}${sort.key}` : '';
}

/** The order after a click on a column head: numbers begin with the largest, text with the first. */
export function nextSort(sort: Sort | null, key: string, isNumber: boolean): Sort {
  return { key, descending: sort?.key === key ? !sort.descending : isNumber };
}

function compared(x: string | number, y: string | number): number {
  return typeof x === 'number' && typeof y === 'number' ? x - y : collator.compare(String(x), String(y));
}

function isEmpty(value: string | number | null | undefined): value is null | undefined | '' {
  return value === null || value === undefined || value === '';
}
