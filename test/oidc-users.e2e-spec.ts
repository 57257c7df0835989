import { describe, expect, it } from '@jest/globals';
import { ProjectMembersService } from '../src/accounts/project-members.service.js';
import { ProjectsService } from '../src/accounts/projects.service.js';
import { UsersService } from '../src/accounts/users.service.js';
import { GATEWAY } from '../src/audit/audit.types.js';
import { PlansService } from '../src/billing/plans.service.js';
import { OidcTest } from './support/oidc-test.js';

const test = await OidcTest.start();

describe('groups at the provider', () => {
  it('determine who can sign in: without one of them the page names them', async () => {
    const { one, page } = await test.signIn('guest', { groups: ['guests'] });
    expect(await test.failure(one, page)).toEqual(['not_in_group', ['staff', 'R&D', 'admins']]);
    expect(await test.user('guest')).toBeUndefined();
    expect(await test.audit('guest')).toMatchObject([
      { action: 'session.sign_in_failed', actor_name: 'single sign-on', after: { reason: 'not_in_group' } },
    ]);
  });

  it('must be sent: without the claim the page names it', async () => {
    const { one, page } = await test.signIn('groupless', { groups: undefined });
    expect(await test.failure(one, page)).toEqual(['claim_missing', ['groups']]);
  });

  it('set and remove the role of administrator at each sign-in', async () => {
    await test.signIn('other-admin', { groups: ['admins'] });
    const { one } = await test.signIn('boss', { groups: ['admins'] });
    expect((await one.session()).user.role).toBe('admin');
    await test.signIn('boss', { groups: ['staff', 'other'] });
    expect((await one.session()).user.role).toBe('member');
    expect((await one.get('/api/users')).status).toBe(403);
    expect((await test.audit('boss')).find(({ action }) => action === 'user.role')).toMatchObject({
      actor_name: 'single sign-on',
      before: { role: 'admin' },
      after: { role: 'member' },
    });
  });

  it('groups at the provider that are not sent remove nothing: neither role nor plan nor session', async () => {
    const { one } = await test.signIn('entra', { groups: ['admins', 'R&D'] });
    const later = await test.signIn('entra', { groups: undefined });
    expect(await test.failure(later.one, later.page)).toEqual(['claim_missing', ['groups']]);
    expect(await one.session()).toMatchObject({ user: { role: 'admin' }, plan: { id: 'pro' } });
    expect(await test.grants('entra')).toMatchObject([{ plan_id: 'pro', ends_at: null }]);
  });

  it('never remove the role of the last administrator, and the log reports it', async () => {
    const { one } = await test.signIn('only', { groups: ['admins'] });
    await test.gateway.database.query("UPDATE users SET role = 'member' WHERE email <> 'only@example.com'");
    await test.signIn('only', { groups: ['staff'] });
    expect((await one.session()).user.role).toBe('admin');
    const { page } = await test.signIn('only', { groups: [] });
    expect(page).toContain('reason=not_in_group');
    expect((await test.user('only'))?.role).toBe('admin');
    expect(JSON.stringify(test.gateway.log)).toContain('The last administrator keeps the role');
    await test.signIn('next', { groups: ['admins'] });
    await test.signIn('only', { groups: ['staff'] });
    expect((await test.user('only'))?.role).toBe('member');
  });

  it('grant a plan to their members, in addition to grants of administrators', async () => {
    const { one } = await test.signIn('rita', { groups: ['R&D'] });
    expect((await one.session()).plan).toMatchObject({ id: 'pro' });
    await test.signIn('rita', { groups: ['R&D', 'staff'] });
    expect(await test.grants('rita')).toEqual([{ plan_id: 'pro', source: 'oidc', ends_at: null }]);
    await test.signIn('rita', { groups: 'staff' });
    expect((await one.session()).plan).toMatchObject({ id: 'free' });
    expect(await test.actions('rita')).toEqual([
      'user.create',
      'plan.grant',
      'session.sign_in',
      'session.sign_in',
      'plan.revoke',
      'session.sign_in',
    ]);
  });

  it('do not change grants of administrators', async () => {
    await test.signIn('granted', { groups: ['R&D'] });
    const { id } = (await test.user('granted')) ?? {};
    const until = new Date('2099-01-01T00:00:00Z');
    await test.gateway.services.get(PlansService).grant(String(id), 'pro', until, 'console', GATEWAY);
    const { one } = await test.signIn('granted', { groups: ['staff'] });
    expect(await test.grants('granted')).toEqual([
      { plan_id: 'pro', source: 'oidc', ends_at: expect.any(Date) },
      { plan_id: 'pro', source: 'console', ends_at: until },
    ]);
    expect((await one.session()).plan).toMatchObject({ id: 'pro' });
  });

  it('remove everything from a user who is no longer in any of them', async () => {
    const { one } = await test.signIn('leaver', { groups: ['admins', 'R&D'] });
    expect(await one.session()).toMatchObject({ user: { role: 'admin' }, plan: { id: 'pro' } });
    const { page } = await test.signIn('leaver', { groups: [] });
    expect(page).toContain('reason=not_in_group');
    expect((await one.session()).user).toBeNull();
    expect((await test.user('leaver'))?.role).toBe('member');
    expect((await test.grants('leaver'))[0]?.ends_at).toBeInstanceOf(Date);
  });

  it('groups at the provider with an unknown plan are logged, and the sign-in succeeds', () => {
    expect(JSON.stringify(test.gateway.log)).toContain('signIn.oidc.plans names plans that do not exist: nothing');
  });
});

describe('groups at the provider and projects', () => {
  it('set roles in projects at each sign-in, and remove only those that they set', async () => {
    const { services, database } = test.gateway;
    const { id } = await services.get(ProjectsService).create('Research', GATEWAY);
    const other = await services.get(ProjectsService).create('Other', GATEWAY);
    const members = services.get(ProjectMembersService);
    const rolesOf = async () => {
      const found = await members.rolesOf(String((await test.user('scientist'))?.id));
      return { research: found.get(id), other: found.get(other.id) };
    };
    await test.signIn('scientist', { groups: ['staff'] });
    expect(await rolesOf()).toEqual({ research: 'member' });
    await members.set(other.id, String((await test.user('scientist'))?.id), 'member', GATEWAY);
    await test.signIn('scientist', { groups: ['staff', 'R&D'] });
    expect(await rolesOf()).toEqual({ research: 'manager', other: 'member' });
    await test.signIn('scientist', { groups: [] });
    expect(await rolesOf()).toEqual({ research: undefined, other: 'member' });
    const entries = await database.query(
      "SELECT before ->> 'role' AS was, after ->> 'role' AS role FROM audit_log WHERE action = 'project.member' AND target_id = $1 ORDER BY id",
      [id],
    );
    expect(entries).toEqual([
      { was: null, role: 'member' },
      { was: 'member', role: 'manager' },
      { was: 'manager', role: null },
    ]);
  });
});

describe('an existing user', () => {
  it('is linked permanently by a verified e-mail address', async () => {
    const { id } = await test.gateway.createPerson({ email: 'old@example.com' });
    const { one } = await test.signIn('old', { email: 'OLD@example.com' });
    expect((await one.session()).user).toMatchObject({ id, role: 'member' });
    expect(await test.actions('old')).toEqual(['user.create', 'user.link', 'session.sign_in']);
    const { one: thief, page } = await test.signIn('thief', { email: 'old@example.com' });
    expect(await test.failure(thief, page)).toEqual(['account_exists', []]);
    const renamed = await test.signIn('old', { email: 'new@example.com', email_verified: false });
    expect((await renamed.one.session()).user).toMatchObject({ id, email: 'old@example.com' });
  });

  it('is not linked by an address that matches only by Unicode case folding', async () => {
    const { id } = await test.gateway.createPerson({ email: 'kate@example.com' });
    const { one } = await test.signIn('kelvin', { email: '\u212aate@example.com' });
    expect((await one.session()).user.id).not.toBe(id);
  });

  it.each([
    ['no', false],
    ['nothing', undefined],
    ['the-text-false', 'false'],
    ['the-text-yes', 'yes'],
  ])('is not linked by an address whose verification the provider reports as %s', async (name, verified) => {
    await test.gateway.createPerson({ email: `${name}@example.com` });
    const { one, page } = await test.signIn(name, { email_verified: verified });
    expect(await test.failure(one, page)).toEqual(['email_not_verified', ['email_verified']]);
    expect((await test.user(name))?.oidc_subject).toBeNull();
  });

  it('an existing user as a service account is never linked', async () => {
    await test.gateway.services.get(UsersService).create({ email: 'robot@example.com', kind: 'service' }, GATEWAY);
    const { one, page } = await test.signIn('robot');
    expect(await test.failure(one, page)).toEqual(['account_exists', []]);
  });

  it('an existing user that is disabled cannot sign in', async () => {
    await test.signIn('gone');
    await test.gateway.services.get(UsersService).setDisabled('gone@example.com', true, GATEWAY);
    const { one, page } = await test.signIn('gone');
    expect(await test.failure(one, page)).toEqual(['account_disabled', []]);
    await test.gateway.createPerson({ email: 'gone-local@example.com' });
    await test.gateway.services.get(UsersService).setDisabled('gone-local@example.com', true, GATEWAY);
    const local = await test.signIn('gone-local');
    expect(await test.failure(local.one, local.page)).toEqual(['account_disabled', []]);
    expect((await test.user('gone-local'))?.oidc_subject).toBeNull();
  });

  it.each([[undefined], ['no address'], [''], [5]])('needs an address at the first sign-in: %j', async (email) => {
    const { one, page } = await test.signIn('nameless', { email });
    expect(await test.failure(one, page)).toEqual(['claim_missing', ['email']]);
  });

  it('is created once by two simultaneous first sign-ins', async () => {
    const [one, other] = [test.browser(), test.browser()];
    const urls = [await one.authorize(test.person('double')), await other.authorize('double')];
    await Promise.all([one.get(urls[0] ?? ''), other.get(urls[1] ?? '')]);
    const ids = [(await one.session()).user.id, (await other.session()).user.id];
    expect(ids).toEqual([ids[0], ids[0]]);
    expect((await test.actions('double')).filter((action) => action === 'user.create')).toHaveLength(1);
  });
});
