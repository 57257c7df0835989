import { describe, expect, it } from '@jest/globals';
import { userActions } from './user-actions';
import type { UserView } from './users-queries';

function kinds(of: Partial<UserView>): string[] {
  const user = { kind: 'person', role: 'member', source: 'local', status: 'active', ...of } as UserView;
  return userActions(user).map(({ kind }) => kind);
}

describe('what can be done with a user', () => {
  it('is everything for a person with a password', () => {
    expect(kinds({})).toEqual(['rename', 'plan', 'limits', 'role', 'link', 'disable']);
  });

  it('is no password link where there is no password, or no way in', () => {
    expect(kinds({ source: 'oidc' })).not.toContain('link');
    expect(kinds({ status: 'disabled' })).toEqual(['rename', 'plan', 'limits', 'role', 'enable']);
  });

  it('is neither a role nor a link for a service', () => {
    expect(kinds({ kind: 'service', source: 'service' })).toEqual(['rename', 'plan', 'limits', 'disable']);
  });
});
