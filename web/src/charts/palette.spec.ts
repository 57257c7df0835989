import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cssVariables, theme } from '../theme/theme';
import { contrast, distance, hueOf, oklab, seenAs, VISIONS } from './color-math';
import { MOST_SERIES } from './series';

const css = readFileSync(resolve(import.meta.dirname, 'series.css'), 'utf8');
const [light = '', dark = ''] = css.split(':root[data-mantine-color-scheme="dark"]');
const resolved = cssVariables(theme as Parameters<typeof cssVariables>[0]);

describe.each([
  ['light', light, ['#ffffff', '#f8f9fb'], resolved.light],
  ['dark', dark, ['#101317', '#181c22'], resolved.dark],
] as const)('the colors of series in the %s theme', (_, block, surfaces, variables) => {
  const colors = [...block.matchAll(/--series-\d+: (#[0-9a-f]{6});/g)].map(([, color]) => color ?? '');
  const statuses = ['good', 'warn', 'bad'].map((name) => variables[`--console-${name}`] ?? '');

  it('are as many as a chart can have, each at least 3:1 on the surface behind it', () => {
    expect(colors).toHaveLength(MOST_SERIES);
    for (const color of colors) {
      for (const surface of surfaces) expect(contrast(color, surface)).toBeGreaterThanOrEqual(3);
    }
  });

  it('stay apart for each kind of color blindness', () => {
    for (const vision of VISIONS) {
      const seen = colors.map((color) => seenAs(color, vision));
      const gaps = seen.flatMap((one, index) => seen.slice(0, index).map((other) => distance(one, other)));
      expect(Math.min(...gaps)).toBeGreaterThan(0.06);
    }
  });

  it('are neither red nor green nor amber, which are the colors of statuses', () => {
    for (const color of colors) {
      expect(hueOf(color)).toBeGreaterThan(180);
      expect(hueOf(color)).toBeLessThan(345);
      for (const status of statuses) expect(distance(oklab(color), oklab(status))).toBeGreaterThan(0.12);
    }
  });
});
