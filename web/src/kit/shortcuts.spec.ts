import { describe, expect, it } from '@jest/globals';
import { searchable } from './shortcuts';

describe('a search text', () => {
  it.each([
    ['svc_abcdEFGHijklMNOPqrstUVWXyz0123456789wxyz', 'svc_abcd…wxyz'],
    ['Bearer svc_abcdEFGHijklMNOPqrstUVWXyz0123456789wxyz ', 'Bearer svc_abcd…wxyz '],
    ['svc_abcd…wxyz', 'svc_abcd…wxyz'],
    ['svc_abcd', 'svc_abcd'],
    ['laptop', 'laptop'],
  ])('%s is %s: a whole key is cut to its display form', (text, cut) => {
    expect(searchable(text)).toBe(cut);
  });
});
