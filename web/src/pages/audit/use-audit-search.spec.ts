import { describe, expect, it } from '@jest/globals';
import { toFilter } from './use-audit-search';

describe('the filter of the audit log', () => {
  it('contains only the set filters', () => {
    expect(toFilter({ q: '', actor: 'a', entry: '7' })).toEqual({ actor: 'a' });
  });

  it('includes the whole last day of a range', () => {
    expect(toFilter({ from: '2026-11-20', to: '2026-11-21' })).toEqual({
      from: new Date(2026, 10, 20).toISOString(),
      to: new Date(2026, 10, 22).toISOString(),
    });
  });

  it('ignores an invalid day', () => {
    expect(toFilter({ from: 'yesterday', to: '2026-13-40' })).toEqual({});
  });
});
