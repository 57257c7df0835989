import { describe, expect, it } from '@jest/globals';
import { idGenerator } from './ids.js';

describe('an id', () => {
  const newId = idGenerator('req_');

  it('is 32 hexadecimal digits after its prefix, and unique', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
  });

  it('starts with the time, so that ids sort by age', async () => {
    const before = Date.now();
    const ids: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      ids.push(newId());
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    expect(ids.toSorted()).toEqual(ids);
    const time = Number.parseInt(ids[0]?.slice(4, 16) ?? '', 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it('has 80 random bits: of many ids of one instant every digit differs', () => {
    const tails = Array.from({ length: 1000 }, () => newId().slice(16));
    for (let digit = 0; digit < 20; digit++) expect(new Set(tails.map((tail) => tail[digit])).size).toBe(16);
  });
});
