import { describe, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { GROUP, type Json, PATCH, ScimTest, USER } from './support/scim-test.js';

const test = await ScimTest.start();

describe('the request bodies of Okta', () => {
  let id: string;

  it('create a user with its password left out of everything', async () => {
    const { status, body } = await test.send('POST', '/Users', {
      schemas: [USER],
      userName: 'test.user@okta.local',
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq-secret',
      active: true,
    });
    expect(status).toBe(201);
    ({ id } = body);
    expect(
      JSON.stringify([body, test.gateway.log, await test.gateway.database.query('SELECT * FROM audit_log')]),
    ).not.toContain('1mz050nq');
    expect(body).toMatchObject({ userName: 'test.user@okta.local', externalId: '00ujl29u0le5T6Aj10h7' });
  });

  it('update a user by PUT', async () => {
    const { status, body } = await test.send('PUT', `/Users/${id}`, {
      schemas: [USER],
      id,
      userName: 'test.user@okta.local',
      name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
      emails: [{ primary: true, value: 'another.user@okta.local', type: 'work', display: 'x' }],
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        displayName: 'Another User',
        emails: [{ value: 'another.user@okta.local' }],
        name: { givenName: 'Another' },
      },
    });
    expect(body).not.toHaveProperty('externalId');
  });

  it('deactivate a user', async () => {
    const { body } = await test.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect(body.active).toBe(false);
    await test.patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
  });

  it('give members of a group what signIn.oidc maps at once, and take it back', async () => {
    const { body: group } = await test.send('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'engineers',
      members: [],
    });
    const view = async () => (await test.admin.get(`/api/users/${id}`)).body;
    expect(await view()).toMatchObject({ role: 'member', plan: { id: 'free' } });
    await test.patch(`/Groups/${group.id}`, {
      op: 'add',
      path: 'members',
      value: [{ value: id, display: 'another.user@okta.local' }],
    });
    expect(await view()).toMatchObject({ plan: { id: 'pro' } });
    const grants = await test.gateway.database.query('SELECT ends_at FROM plan_grants WHERE user_id = $1', [id]);
    expect(grants).toEqual([{ ends_at: null }]);
    const { body: admins } = await test.send('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'admins',
      members: [{ value: id }],
    });
    expect(await view()).toMatchObject({ role: 'admin' });
    await test.patch(`/Groups/${group.id}`, { op: 'remove', path: `members[value eq "${id}"]` });
    expect(await view()).toMatchObject({ role: 'admin', plan: { id: 'free' } });
    await test.patch(`/Groups/${admins.id}`, { op: 'replace', value: { id: admins.id, displayName: 'others' } });
    expect(await view()).toMatchObject({ role: 'member' });
    await test.send('PUT', `/Groups/${admins.id}`, {
      schemas: [GROUP],
      displayName: 'admins',
      members: [{ value: id }],
    });
    expect(await view()).toMatchObject({ role: 'admin' });
    await test.send('DELETE', `/Groups/${admins.id}`);
    expect(await view()).toMatchObject({ role: 'member' });
    const { body: log } = await test.admin.get(`/api/audit?target=user:${id}`);
    expect(log.items.map(({ action }: Json) => action)).toEqual(
      expect.arrayContaining(['user.role', 'plan.grant', 'plan.revoke']),
    );
    expect(log.items[0].actor.name).toBe(`SCIM (${test.admin.user.email} (token provider))`);
  });

  it('add members to a group at the same time without losing one', async () => {
    const { body: group } = await test.send('POST', '/Groups', { schemas: [GROUP], displayName: 'many' });
    const ids = await Promise.all(Array.from({ length: 8 }, (_, n) => test.createUser(`many-${n}@okta.local`)));
    const answers = await Promise.all(
      ids.map((value) => test.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value }] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const { members } = (await test.send('GET', `/Groups/${group.id}`)).body;
    expect(members.map(({ value }: Json) => value).toSorted()).toEqual(ids.toSorted());
  });
});

describe('lists of users', () => {
  it('come page by page, with the total of all', async () => {
    const { body: all } = await test.send('GET', '/Users?count=200');
    const total = all.Resources.length;
    expect(all).toMatchObject({ totalResults: total, startIndex: 1, itemsPerPage: total });
    const pages = [];
    for (let startIndex = 1; startIndex <= total; startIndex += 3) {
      const { body } = await test.send('GET', `/Users?startIndex=${startIndex}&count=3`);
      expect(body).toMatchObject({ totalResults: total, startIndex, itemsPerPage: body.Resources.length });
      pages.push(...body.Resources.map(({ id }: Json) => id));
    }
    expect(pages).toEqual(all.Resources.map(({ id }: Json) => id));
    expect((await test.send('GET', '/Users?count=0')).body).toMatchObject({
      totalResults: total,
      itemsPerPage: 0,
      Resources: [],
    });
    expect((await test.send('GET', `/Users?startIndex=${total + 1}`)).body).toMatchObject({
      totalResults: total,
      Resources: [],
    });
    expect((await test.send('GET', '/Users?startIndex=-5&count=-1')).body).toMatchObject({
      startIndex: 1,
      itemsPerPage: 0,
    });
  });

  it('leave out service accounts and projects', async () => {
    await test.admin.post('/api/users', { email: 'robot@example.com', kind: 'service' });
    expect((await test.find('userName eq "robot@example.com"')).body.totalResults).toBe(0);
  });
});

describe('the service provider', () => {
  it.each(['/ServiceProviderConfig', '/Schemas', '/ResourceTypes', `/Schemas/${USER}`])(
    'describes itself at %s',
    async (path) => {
      const { status, type, body } = await test.send('GET', path);
      expect({ status, type }).toEqual({ status: 200, type: 'application/scim+json; charset=utf-8' });
      expect(JSON.stringify(body)).toContain('http://gateway.test/scim/v2');
    },
  );

  it('says that it has filters and PATCH, and neither bulk nor sorting', async () => {
    expect((await test.send('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true, maxResults: 200 },
      bulk: { supported: false },
      sort: { supported: false },
    });
  });

  it.each<[string, string, object | undefined, number, string | undefined]>([
    ['GET', '/Users?filter=userName+co+%22a%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=title+eq+%22a%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=bogus', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?startIndex=x', undefined, 400, 'invalidValue'],
    ['GET', '/Users/nobody', undefined, 404, undefined],
    ['GET', '/Users/00000000-0000-4000-8000-000000000000', undefined, 404, undefined],
    ['DELETE', '/Groups/00000000-0000-4000-8000-000000000000', undefined, 404, undefined],
    ['GET', '/Nothing', undefined, 404, undefined],
    ['POST', '/Bulk', { Operations: [] }, 501, undefined],
    ['POST', '/Users/.search', {}, 501, undefined],
    ['POST', '/Users', { schemas: [USER] }, 400, 'invalidValue'],
    ['POST', '/Users', { schemas: [USER], userName: 'no-address' }, 400, 'invalidValue'],
    ['POST', '/Users', { schemas: [USER], userName: 'a\0b@example.com' }, 400, 'invalidValue'],
    ['POST', '/Groups', { schemas: [GROUP], displayName: 'g', members: [{ value: 'ghost' }] }, 400, 'invalidValue'],
    ['PATCH', '/Users/00000000-0000-4000-8000-000000000000', { schemas: [PATCH], Operations: [] }, 400, 'invalidValue'],
  ])('answers %s %s %j with %s %s', async (method, path, sent, status, scimType) => {
    const answer = await test.send(method, path, sent);
    expect({ status: answer.status, scimType: answer.body.scimType }).toEqual({ status, scimType });
    expect(answer.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
  });

  it('leaves nothing of a refused request behind', async () => {
    expect((await test.find('displayName eq "g"', 'Groups')).body.totalResults).toBe(0);
  });

  it('keeps the last administrator', async () => {
    const { status, body } = await test.patch(`/Users/${test.admin.user.id}`, {
      op: 'replace',
      value: { active: false },
    });
    expect(status).toBe(400);
    expect(body.detail).toContain('is the last administrator');
  });

  it('needs an access token of scope `scim`, of somebody who may use it', async () => {
    const member = await ConsoleClient.as(test.gateway, 'member');
    const others = [
      await ScimTest.tokenOf(test.gateway, member, ['scim']),
      await ScimTest.tokenOf(test.gateway, test.admin, ['users.write']),
    ];
    for (const path of ['/Users', '/Groups', '/Schemas', '/ServiceProviderConfig', '/ResourceTypes']) {
      expect((await test.send('GET', path, undefined, null)).status).toBe(401);
      for (const token of others) expect((await test.send('GET', path, undefined, token)).status).toBe(403);
    }
  });
});
