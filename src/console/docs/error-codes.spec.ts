import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from './error-codes.js';

describe('the codes of errors', () => {
  it('are those of docs/api.md, with the same statuses', () => {
    const text = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
    const section = /^## Errors$([\s\S]*?)^## /m.exec(text)?.[1] ?? '';
    const rows = [...section.matchAll(/^\| ([\d, ]+) \| (.*?) \|/gm)];
    const statuses = new Set(rows.flatMap(([, list = '']) => list.split(', ').map(Number)));
    const codes = rows.flatMap(([, , list = '']) => [...list.matchAll(/`(\w+)`/g)].map(([, code]) => code));
    expect(ERROR_CODES.map(({ code }) => code).sort()).toEqual(codes.sort());
    expect(new Set(ERROR_CODES.map(({ status }) => status))).toEqual(statuses);
  });
});
