import { describe, expect, it } from '@jest/globals';
import type { Column } from './data-table-rows';
import { formatSort, matching, nextSort, parseSort, sorted } from './table-order';

interface Row {
  name: string;
  used: number | null;
}

const columns: Column<Row>[] = [
  { key: 'name', header: 'Name', cell: ({ name }) => name, sortValue: ({ name }) => name },
  { key: 'used', header: 'Used', cell: ({ used }) => used, sortValue: ({ used }) => used },
];
const rows: Row[] = [
  { name: 'key 10', used: 5 },
  { name: 'Key 9', used: null },
  { name: 'älter', used: 40 },
];
const namesBy = (sort: string) => sorted(rows, columns, parseSort(sort)).map(({ name }) => name);

describe('the order of a table', () => {
  it('sorts as people do: numbers by value, ignoring case and accents', () => {
    expect(namesBy('name')).toEqual(['älter', 'Key 9', 'key 10']);
  });

  it('puts rows without a value last, in both directions', () => {
    expect(namesBy('used')).toEqual(['key 10', 'älter', 'Key 9']);
    expect(namesBy('-used')).toEqual(['älter', 'key 10', 'Key 9']);
  });

  it('leaves the rows unchanged for an unknown column', () => {
    expect(namesBy('constructor')).toEqual(rows.map(({ name }) => name));
  });

  it('the order of a table of a column that is clicked first begins with the largest number, or the first text; then it turns', () => {
    const clicked = (sort: string, isNumber: boolean) => formatSort(nextSort(parseSort(sort), 'used', isNumber));
    expect([clicked('name', true), clicked('-used', true), clicked('used', true)]).toEqual(['-used', 'used', '-used']);
    expect([clicked('name', false), clicked('used', false)]).toEqual(['used', '-used']);
  });

  it('is written to an address and read from it', () => {
    for (const text of ['', 'name', '-used']) expect(formatSort(parseSort(text))).toBe(text);
  });
});

describe('the search of a table', () => {
  it('finds the rows that contain every word, in any order and case', () => {
    expect(matching(rows, ' 9 KEY', ({ name }) => name).map(({ name }) => name)).toEqual(['Key 9']);
  });
});
