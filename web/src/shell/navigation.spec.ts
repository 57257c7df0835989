import { describe, expect, it } from '@jest/globals';
import type { SignedIn } from '../api/session';
import { maySee, pagesOf } from './navigation';

function sessionWith(permissions: string[], projectRole: string | null = null): SignedIn {
  return { permissions, projectRole, user: { role: 'member' } } as unknown as SignedIn;
}

const labels = (session: SignedIn) => pagesOf(session).admin.map(({ label }) => label);

describe('the pages of the console', () => {
  it('are those that the permissions allow, whatever the role is called', () => {
    expect(labels(sessionWith(['audit.read', 'users.read']))).toEqual(['Users', 'Audit log']);
    expect(labels(sessionWith([]))).toEqual([]);
  });

  it('exist for those who may see them, with the pages below them', () => {
    const session = sessionWith(['users.read']);
    expect(['/users', '/users/$id', '/keys'].map((path) => maySee(session, path))).toEqual([true, true, true]);
    expect(['/audit', '/settings', '/plans'].map((path) => maySee(session, path))).toEqual([false, false, false]);
  });

  it('contain the budgets once, for members of projects and for those who see all usage', () => {
    const count = (session: SignedIn) =>
      [...pagesOf(session).own, ...pagesOf(session).admin].filter(({ to }) => to === '/budgets').length;
    expect([count(sessionWith([])), count(sessionWith([], 'member'))]).toEqual([0, 1]);
    expect([count(sessionWith(['usage.read'])), count(sessionWith(['usage.read'], 'manager'))]).toEqual([1, 1]);
  });
});
