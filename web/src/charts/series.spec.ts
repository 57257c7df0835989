import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cssVariables, theme } from '../theme/theme';
import { looksOf, MAX_SERIES } from './series';

const MODELS = ['spec/nano', 'spec/sonnet', 'spec/flash', 'spec/small', 'spec/terra'];
/** As in config/models.yaml. */
const FREE = [
  ...['gpt-6-luna', 'gemini-3.5-flash-lite', 'mistral-small-4', 'deepseek-v4.1-flash', 'gpt-oss-20b', 'gpt-oss-120b'],
  'nova-2-lite',
];

describe('the color of an item', () => {
  it('is the same in every view, at any rank and beside any other item', () => {
    const together = looksOf(MODELS);
    expect(looksOf(MODELS.toReversed())).toEqual(together);
    const items = Array.from({ length: 40 }, (_, index) => `item-${index}`);
    for (const id of items) {
      const color = looksOf([id]).get(id)?.color;
      expect(looksOf([...items.slice(0, 7), id, ...MODELS]).get(id)?.color).toBe(color);
    }
  });

  it('is shared by items of a view only with another texture and other dashes', () => {
    const ids = Array.from({ length: MAX_SERIES }, (_, index) => `key-${index}`);
    const looks = [...looksOf(ids).values()];
    expect(new Set(looks.map(({ color, texture }) => `${color} ${texture}`)).size).toBe(MAX_SERIES);
    expect(new Set(looks.map(({ color, dashes }) => `${color} ${dashes}`)).size).toBe(MAX_SERIES);
    expect(new Set(looks.map(({ swatch }) => swatch)).size).toBe(MAX_SERIES);
  });

  it('is one of its own for each model of the free plan', () => {
    expect(new Set([...looksOf(FREE).values()].map(({ color }) => color)).size).toBe(FREE.length);
  });

  it('the color of an item of a status shows its meaning', () => {
    const looks = looksOf(['aborted', 'failed', 'settled']);
    expect(looks.get('settled')?.color).toBe('var(--console-good)');
    expect(looks.get('failed')?.color).toBe('var(--console-bad)');
    expect(looks.get('aborted')?.color).toBe('var(--series-rest)');
  });
});

type Triple = readonly [number, number, number];

/** Linear sRGB as people with each kind of color blindness see it (Machado, Oliveira and Fernandes 2009). */
const SEEN = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const satisfies Record<string, readonly Triple[]>;

type Vision = keyof typeof SEEN;

const VISIONS = Object.keys(SEEN) as Vision[];

const css = readFileSync(resolve(import.meta.dirname, 'series.css'), 'utf8');
const [light = '', dark = ''] = css.split(':root[data-mantine-color-scheme="dark"]');
const resolved = cssVariables(theme as Parameters<typeof cssVariables>[0]);

describe.each([
  ['light', light, ['#ffffff', '#f8f9fb'], resolved.light],
  ['dark', dark, ['#101317', '#181c22'], resolved.dark],
] as const)('the colors of series in the %s theme', (_, block, surfaces, variables) => {
  const colors = [...block.matchAll(/--series-\d+: (#[0-9a-f]{6});/g)].map(([, color]) => color ?? '');
  const statuses = ['good', 'warn', 'bad'].map((name) => variables[`--console-${name}`] ?? '');

  it('are one for each possible series, each with a contrast of at least 3:1 to its background', () => {
    expect(colors).toHaveLength(MAX_SERIES);
    for (const color of colors) {
      for (const surface of surfaces) expect(contrast(color, surface)).toBeGreaterThanOrEqual(3);
    }
  });

  it('are distinguishable for each kind of color blindness', () => {
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

/** OKLab of a color `#rrggbb` as it is seen with this vision. */
function seenAs(color: string, vision: Vision): Triple {
  const rgb = linear(color);
  const [r, g, b] = SEEN[vision].map((row) => Math.min(1, Math.max(0, dot(row, rgb))));
  return toOklab([r ?? 0, g ?? 0, b ?? 0]);
}

function oklab(color: string): Triple {
  return toOklab(linear(color));
}

/** Euclidean in OKLab, where 1 lies between black and white. */
function distance(one: Triple, other: Triple): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

/** Degrees in OKLCH, from 0 to 360: red is near 25, amber 70, green 150, blue 260. */
function hueOf(color: string): number {
  const [, a, b] = oklab(color);
  return ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
}

/** As WCAG defines it, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [x, y] = [luminance(one), luminance(other)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function luminance(color: string): number {
  return dot([0.2126, 0.7152, 0.0722], linear(color));
}

function linear(color: string): Triple {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [r, g, b];
}

function toOklab(rgb: Triple): Triple {
  const l = Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], rgb));
  const m = Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], rgb));
  const s = Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], rgb));
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], [l, m, s]),
    dot([1.9779984951, -2.428592205, 0.4505937099], [l, m, s]),
    dot([0.0259040371, 0.7827717662, -0.808675766], [l, m, s]),
  ];
}

function dot(one: Triple, other: Triple): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}
