import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { byteSize, duration, longDuration } from './units.js';

const problem = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['15s', 15_000],
    ['2m', 120_000],
    ['1.5h', 5_400_000],
    ['1D', 86_400_000],
    [0, 0],
  ])('%s is %d ms', (text, ms) => {
    expect(duration('0s').parse(text)).toBe(ms);
  });

  it('has a range with both ends included, and never exceeds a timer', () => {
    const schema = duration('50ms', '10m');
    expect(['50ms', '10m'].map((text) => schema.parse(text))).toEqual([50, 600_000]);
    expect(problem(schema, '49ms')).toEqual(['must be at least 50ms']);
    expect(problem(schema, 0)).toEqual(['must be at least 50ms']);
    expect(problem(schema, '10.1m')).toEqual(['must be at most 10m']);
    expect(problem(duration('0s'), '25d')).toEqual(['must be at most 24d']);
    expect(longDuration('1h', '3650d').parse('400d')).toBe(400 * 86_400_000);
  });
});

describe('a size', () => {
  it.each([
    ['1b', 1],
    ['512kb', 524_288],
    ['32MB', 33_554_432],
    ['0.5gb', 536_870_912],
  ])('%s is %d bytes', (text, bytes) => {
    expect(byteSize('1b', '1gb').parse(text)).toBe(bytes);
  });

  it('has a range', () => {
    expect(problem(byteSize('1kb', '1gb'), '0mb')).toEqual(['must be at least 1kb']);
    expect(problem(byteSize('1kb', '1gb'), '2gb')).toEqual(['must be at most 1gb']);
  });
});
