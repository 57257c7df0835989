/** How many groups a chart shows singly; the others are one series. */
export const MOST_SERIES = 8;

/** A group of a chart: its color and, for lines, its dashes are its own, so that it is told apart without color, too. */
export interface Series {
  /** Of the group that it stands for. */
  id: string;
  label: string;
  color: string;
  dashes: string;
  /** One value for each point of the axis; null where there is none to show. */
  values: readonly (number | null)[];
}

const DASHES = ['0', '7 3', '2 3', '10 3 2 3', '4 2', '1 3', '12 4', '6 2 2 2'];

export function colorOf(index: number): string {
  return index < MOST_SERIES ? `var(--series-${index + 1})` : 'var(--series-rest)';
}

export function dashesOf(index: number): string {
  return DASHES[index] ?? '0';
}
