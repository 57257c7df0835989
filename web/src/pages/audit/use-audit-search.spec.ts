import { describe, expect, it } from '@jest/globals';
import { toFilter } from './use-audit-search';

describe('the filter of the audit log', () => {
  it('holds only what is asked for', () => {
    expect(toFilter({ q: '', actor: 'a', entry: '7' })).toEqual({ actor: 'a' });
  });

  it('counts the last day of a range to its end', () => {
    expect(toFilter({ from: '2026-11-20', to: '2026-11-21' })).toEqual({
      from: new Date(2026, 10, 20).toISOString(),
      to: new Date(2026, 10, 22).toISOString(),
    });
  });

  it('takes no day that is none', () => {
    expect(toFilter({ from: 'yesterday', to: '2026-13-40' })).toEqual({});
  });
});
