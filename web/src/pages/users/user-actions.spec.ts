import { describe, expect, it } from '@jest/globals';
import { type UserView, userActions } from './user-actions';

function kinds(of: Partial<UserView>): string[] {
  const user = { kind: 'person', role: 'member', source: 'local', status: 'active', ...of } as UserView;
  return userActions(user).map(({ kind }) => kind);
}

describe('the actions for a user', () => {
  it('are all available for a person with a password', () => {
    expect(kinds({})).toEqual(['rename', 'plan', 'limits', 'role', 'link', 'disable', 'forget']);
  });

  it('include no password link for a user without a password, or without a sign-in', () => {
    expect(kinds({ source: 'oidc' })).not.toContain('link');
    expect(kinds({ status: 'disabled' })).toEqual(['rename', 'plan', 'limits', 'role', 'enable', 'forget']);
  });

  it('are none for a forgotten user', () => {
    expect(kinds({ status: 'forgotten' })).toEqual([]);
  });

  it('include neither a role nor a link for a service account', () => {
    expect(kinds({ kind: 'service', source: 'service' })).toEqual(['rename', 'plan', 'limits', 'disable', 'forget']);
  });
});
