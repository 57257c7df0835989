import { describe, expect, it } from '@jest/globals';
import type { AuditEntry } from './audit-api';
import { changesOf } from './changes';

function changes(before: AuditEntry['before'], after: AuditEntry['after']) {
  return changesOf({ before, after } as AuditEntry);
}

describe('the changes of an audit entry', () => {
  it('are shown field by field, including unchanged ones', () => {
    expect(changes({ name: 'A', role: 'member' }, { name: 'B', role: 'member' })).toEqual([
      { field: 'name', before: 'A', after: 'B', isChanged: true },
      { field: 'role', before: 'member', after: 'member', isChanged: false },
    ]);
  });

  it('are complete additions or removals if there is only one side', () => {
    expect(changes(null, { name: 'B' })).toEqual([{ field: 'name', before: null, after: 'B', isChanged: true }]);
    expect(changes({ name: 'A' }, null)).toEqual([{ field: 'name', before: 'A', after: null, isChanged: true }]);
    expect(changes(null, null)).toEqual([]);
  });

  it.each([
    [null, 'none'],
    ['', '(empty)'],
    [false, 'false'],
    [['a'], '[\n  "a"\n]'],
  ])('show %p as %j', (value, text) => {
    expect(changes(null, { field: value })[0]?.after).toBe(text);
  });
});
