import { describe, expect, it } from '@jest/globals';
import { groupAccess } from './group-access.service.js';

const RULES = {
  adminGroups: ['admins'],
  memberGroups: ['staff', 'interns'],
  plans: { staff: 'pro', leads: 'pro', guests: 'free' },
  projects: {
    staff: { project: 'Search', role: 'member' as const },
    leads: { project: 'Search', role: 'manager' as const },
    interns: { project: 'Lab', role: 'member' as const },
  },
};

describe('groups at the provider', () => {
  it.each([
    [['staff'], { isAllowed: true, role: 'member', plans: ['pro'] }],
    [['interns', 'other'], { isAllowed: true, role: 'member', plans: [] }],
    [['staff', 'leads', 'guests'], { isAllowed: true, role: 'member', plans: ['pro', 'free'] }],
    [['admins'], { isAllowed: true, role: 'admin', plans: [] }],
    [['leads'], { isAllowed: false, role: 'member', plans: [] }],
    [['Staff', 'staff '], { isAllowed: false, role: 'member', plans: [] }],
    [[], { isAllowed: false, role: 'member', plans: [] }],
  ])('%j', (groups, access) => {
    expect(groupAccess(groups, RULES)).toMatchObject(access);
  });

  it('admit everyone if no member groups are named', () => {
    expect(groupAccess([], { ...RULES, memberGroups: null })).toMatchObject({
      isAllowed: true,
      role: 'member',
      plans: [],
    });
  });

  it('admit only administrators if the list of member groups is empty', () => {
    expect(groupAccess(['staff'], { ...RULES, memberGroups: [] }).isAllowed).toBe(false);
    expect(groupAccess(['admins'], { ...RULES, memberGroups: [] }).isAllowed).toBe(true);
  });

  it.each([
    [['staff', 'leads'], [['Search', 'manager']]],
    [
      ['leads', 'interns', 'staff'],
      [
        ['Search', 'manager'],
        ['Lab', 'member'],
      ],
    ],
    [['leads'], []],
    [['admins'], []],
  ])('%j give roles in projects, the higher one of several', (groups, projects) => {
    expect([...groupAccess(groups, RULES).projects].toSorted()).toEqual(projects.toSorted());
  });

  it('do not set roles if no administrator groups are named', () => {
    expect(groupAccess(['staff'], { ...RULES, adminGroups: [] }).role).toBeNull();
  });
});
