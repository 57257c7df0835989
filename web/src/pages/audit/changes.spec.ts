import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from './audit-api';
import { changesOf } from './changes';

function changes(before: AuditEntry['before'], after: AuditEntry['after']) {
  return changesOf({ before, after } as AuditEntry);
}

describe('what an entry of the audit log says was changed', () => {
  it('is told field by field, what stayed included', () => {
    expect(changes({ name: 'A', role: 'member' }, { name: 'B', role: 'member' })).toEqual([
      { field: 'name', before: 'A', after: 'B', isChanged: true },
      { field: 'role', before: 'member', after: 'member', isChanged: false },
    ]);
  });

  it('came or went as a whole where there is no other side', () => {
    expect(changes(null, { name: 'B' })).toEqual([{ field: 'name', before: null, after: 'B', isChanged: true }]);
    expect(changes({ name: 'A' }, null)).toEqual([{ field: 'name', before: 'A', after: null, isChanged: true }]);
    expect(changes(null, null)).toEqual([]);
  });

  it.each([
    [null, 'none'],
    ['', '(empty)'],
    [false, 'false'],
    [['a'], '[\n  "a"\n]'],
  ])('writes %p as %j', (value, text) => {
    expect(changes(null, { field: value })[0]?.after).toBe(text);
  });
});
