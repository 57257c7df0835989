import { describe, expect, it, jest } from '@jest/globals';
import { UsersService } from '../src/accounts/users.service.js';
import { COMMAND_LINE } from '../src/audit/audit.types.js';
import { AccessTokensService } from '../src/auth/access-tokens.service.js';
import { ScimUsersService } from '../src/scim/scim-users.service.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { GROUP, ScimTest, USER } from './support/scim-test.js';
import { TestGateway } from './support/test-gateway.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const test = await ScimTest.start();

describe('the request bodies of Entra ID', () => {
  let id: string;

  it('find nobody before the user is created', async () => {
    const { status, type, body } = await test.find('userName eq "Test_User_dfeef4c5@testuser.com"');
    expect({ status, type, body }).toEqual({
      status: 200,
      type: 'application/scim+json; charset=utf-8',
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 0,
        Resources: [],
        startIndex: 1,
        itemsPerPage: 0,
      },
    });
  });

  it('create a user', async () => {
    const { status, body } = await test.send('POST', '/Users', {
      schemas: [USER, ENTERPRISE],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1@testuser.com',
      active: true,
      emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      [ENTERPRISE]: { department: 'Research', manager: { value: 'x' } },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: 'Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1@testuser.com',
      displayName: 'givenName familyName',
      active: true,
      emails: [{ primary: true, type: 'work', value: 'test_user_fd0ea19b@testuser.com' }],
      name: { familyName: 'familyName', givenName: 'givenName' },
      meta: { resourceType: 'User', location: `http://gateway.test/scim/v2/Users/${body.id}` },
    });
    id = body.id;
    expect((await test.admin.get(`/api/users/${id}`)).body).toMatchObject({
      email: 'test_user_fd0ea19b@testuser.com',
      name: 'givenName familyName',
      role: 'member',
    });
  });

  it('refuse a second user of the same name', async () => {
    const { status, body } = await test.send('POST', '/Users', {
      schemas: [USER],
      userName: 'TEST_USER_AB6490EE-1e48-479e-a20b-2d77186b5dd1@testuser.com',
    });
    expect({ status, type: body.scimType, code: body.status }).toEqual({
      status: 409,
      type: 'uniqueness',
      code: '409',
    });
  });

  it.each([
    'userName eq "test_user_AB6490ee-1e48-479e-a20b-2d77186b5dd1@testuser.com"',
    'USERNAME EQ "Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1@testuser.com"',
    `${USER}:userName eq "Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1@testuser.com"`,
    'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"',
    'displayName eq "GivenName FamilyName"',
    'emails[type eq "work"].value eq "Test_User_fd0ea19b@testuser.com"',
  ])('find the user by %s', async (filter) => {
    const { body } = await test.find(filter);
    expect(body).toMatchObject({ totalResults: 1, itemsPerPage: 1, Resources: [{ id }] });
  });

  it('compare external ids by case', async () => {
    const { body: people } = await test.admin.get('/api/users?externalId=0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef');
    expect(people.items).toHaveLength(1);
    expect((await test.admin.get('/api/users?externalId=0a21f0f2')).body.items).toEqual([]);
    expect((await test.find('externalId eq "0A21F0F2-8D2A-4F8E-BF98-7363C4AED4EF"')).body.totalResults).toBe(0);
  });

  it('change several fields with `op: "Replace"`', async () => {
    const { status, body } = await test.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Replace', path: 'displayName', value: 'Renamed' },
    );
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        displayName: 'Renamed',
        emails: [{ value: 'updatedemail@microsoft.com' }],
        name: { givenName: 'givenName', familyName: 'updatedFamilyName' },
      },
    });
  });

  it.each([
    ['"False" as text', { op: 'Replace', path: 'active', value: 'False' }],
    ['false', { op: 'replace', path: 'active', value: false }],
    ['a value without a path', { op: 'Replace', value: { active: 'False' } }],
  ])('disable a user by %s: sessions end, and keys are refused within a second', async (name, operation) => {
    const person = await test.gateway.createPerson({ email: `leaver-${name.replaceAll(/\W/g, '')}@example.com` });
    const client = await ConsoleClient.signIn(test.gateway, person);
    const key = await test.createKey(person.id);
    expect(await test.statusWith(key)).toBe(200);
    expect((await test.patch(`/Users/${person.id}`, operation)).body).toMatchObject({ active: false });
    await eventually(async () => (await test.statusWith(key)) === 403, 1000);
    expect((await client.get('/api/account/sessions')).status).toBe(401);
    await test.patch(`/Users/${person.id}`, { op: 'Add', path: 'active', value: 'True' });
    await eventually(async () => (await test.statusWith(key)) === 200, 1000);
  });

  it('delete a user, who is disabled and can come back', async () => {
    const key = await test.createKey(id);
    expect(await test.send('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, body: null });
    await eventually(async () => (await test.statusWith(key)) === 403, 1000);
    expect((await test.send('GET', `/Users/${id}`)).status).toBe(404);
    expect(
      (await test.find('userName eq "Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1@testuser.com"')).body.totalResults,
    ).toBe(0);
    const again = await test.createUser('Test_User_ab6490ee-1e48-479e-a20b-2d77186b5dd1@testuser.com');
    expect(again).toBe(id);
    expect((await test.send('GET', `/Users/${id}`)).body.active).toBe(true);
  });

  it('create, fill and empty a group', async () => {
    const { status, body } = await test.send('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: '0f1e2d3c',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    });
    expect(status).toBe(201);
    const group = `/Groups/${body.id}`;
    const list = await test.send('GET', '/Groups?excludedAttributes=members&filter=displayName+eq+%22DISPLAYNAME%22');
    expect(list.body).toMatchObject({ totalResults: 1, Resources: [{ id: body.id, externalId: '0f1e2d3c' }] });
    expect(list.body.Resources[0]).not.toHaveProperty('members');
    await test.patch(group, { op: 'Add', path: 'members', value: [{ $ref: null, value: id }] });
    expect((await test.send('GET', group)).body.members).toMatchObject([{ value: id, type: 'User' }]);
    expect((await test.send('GET', `/Users/${id}`)).body.groups).toMatchObject([
      { value: body.id, display: 'displayName' },
    ]);
    const projects = () =>
      test.gateway.database.query(
        'SELECT name, role FROM project_members JOIN projects ON projects.id = project_id WHERE user_id = $1',
        [id],
      );
    expect(await projects()).toEqual([{ name: 'Lab', role: 'member' }]);
    await test.patch(group, { op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] });
    expect((await test.send('GET', group)).body.members ?? []).toEqual([]);
    expect(await projects()).toEqual([]);
    expect((await test.send('DELETE', group)).status).toBe(204);
    expect((await test.send('GET', group)).status).toBe(404);
  });
});

describe('a leaver', () => {
  it('is refused within a second by every process', async () => {
    const other = await TestGateway.start({ database: test.gateway.database, env: { SIMULATOR: 'on' } });
    const id = await test.createUser('two-processes@example.com');
    const key = await test.createKey(id);
    const tokens = test.gateway.services.get(AccessTokensService);
    const { token } = await tokens.create({ userId: id, name: 't', scopes: ['usage.read'] }, COMMAND_LINE);
    const email = 'two-processes@example.com';
    const password = 'correct horse battery staple';
    await test.gateway.services.get(UsersService).setPassword(id, password, COMMAND_LINE);
    const browser = await ConsoleClient.signIn(other, { id, email, password, role: 'member' });
    const program = ConsoleClient.of(other);
    program.headers = { authorization: `Bearer ${token}` };
    const statuses = async () => [
      await test.statusWith(key, other),
      (await program.get('/api/limits')).status,
      (await browser.get('/api/limits')).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    await test.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    await eventually(async () => (await test.statusWith(key, other)) === 403, 1000);
    expect(await statuses()).toEqual([403, 401, 401]);
  });

  it('a leaver who is forgotten leaves nothing of what the provider said', async () => {
    const id = await test.createUser('forgotten@example.com', {
      externalId: 'ext-forgotten',
      name: { familyName: 'Gone' },
    });
    await test.send('POST', '/Groups', { schemas: [GROUP], displayName: 'of-forgotten', members: [{ value: id }] });
    expect((await test.admin.post(`/api/users/${id}/forget`)).status).toBe(200);
    expect((await test.send('GET', `/Users/${id}`)).status).toBe(404);
    expect((await test.find('externalId eq "ext-forgotten"')).body.totalResults).toBe(0);
    expect((await test.find('displayName eq "of-forgotten"', 'Groups')).body.Resources[0].members ?? []).toEqual([]);
  });
});

describe('a request that cannot be served', () => {
  it('is a 503 while the database is away', async () => {
    const page = jest.spyOn(test.gateway.services.get(ScimUsersService), 'page');
    page.mockRejectedValueOnce(new Error('the database is away'));
    expect(await test.find('userName eq "ada@example.com"')).toMatchObject({
      status: 503,
      type: expect.stringContaining('application/scim+json'),
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '503' },
    });
    page.mockRestore();
  });

  it.each(['Users', 'Groups'])(
    'is a 400 for a filter of %s with a character that Postgres cannot store',
    async (kind) => {
      const { status, body } = await test.find('externalId eq "\\u0000"', kind);
      expect([status, body.scimType]).toEqual([400, 'invalidValue']);
    },
  );

  it('is a 400 for such a name', async () => {
    const reply = await test.send('POST', '/Users', {
      schemas: [USER],
      userName: 'nul@example.com',
      displayName: 'a\0',
    });
    expect([reply.status, reply.body.scimType]).toEqual([400, 'invalidValue']);
  });

  it('is a 415 for an encoding that is not supported', async () => {
    const headers = { authorization: `Bearer ${await ScimTest.tokenOf(test.gateway, test.admin, ['scim'])}` };
    const encoded = { ...headers, 'content-type': 'application/scim+json', 'content-encoding': 'unknown' };
    const url = `${test.gateway.url}/scim/v2/Users`;
    expect((await fetch(url, { method: 'POST', headers: encoded, body: 'x' })).status).toBe(415);
  });
});

describe('an expression that the parser of the library must not see', () => {
  const UNCLOSED = `"${'\\a'.repeat(100)}`;
  const inherited = (): unknown[] =>
    ['changed', 'polluted'].map((name) => Reflect.get(Object, name) ?? Reflect.get({}, name));

  it.each([
    'constructor.changed',
    'Constructor.changed',
    'constructor.prototype.polluted',
    `userName, ${USER}:constructor.changed`,
    'toString.call',
    UNCLOSED,
    'true',
    '5',
    'a eq "b" and',
    '',
  ])('is a 400 as a list of attributes, and changes nothing of the process: %s', async (text) => {
    for (const name of ['attributes', 'excludedAttributes']) {
      const { status, body } = await test.send('GET', `/Users?${name}=${encodeURIComponent(text)}`);
      expect([status, body.scimType]).toEqual([400, 'invalidValue']);
    }
    expect(inherited()).toEqual([undefined, undefined]);
  });

  it.each([
    { op: 'replace', path: 'emails[constructor.changed pr].value', value: 'x' },
    { op: 'replace', value: { 'emails[Constructor.changed pr].value': 'x' } },
    { op: 'Remove', path: 'emails', value: [{ 'constructor.changed': 'x' }] },
    { op: 'remove', path: 'emails', value: { value: 'x" or constructor.changed eq "y' } },
    { op: 'add', path: `emails[value eq ${UNCLOSED}].value`, value: 'x' },
    { op: 'remove', path: 'emails', value: [{ [UNCLOSED]: 'x' }] },
  ])('is a 400 as the path of a PATCH, and changes nothing of the process: %j', async (operation) => {
    const id = await test.createUser(`expression-${Math.random()}@example.com`);
    const { status, body } = await test.patch(`/Users/${id}`, operation);
    expect([status, body.scimType]).toEqual([400, 'invalidPath']);
    expect(inherited()).toEqual([undefined, undefined]);
  });

  it('is a 400 as a filter by an attribute that objects inherit', async () => {
    for (const kind of ['Users', 'Groups']) {
      const { status, body } = await test.find('constructor eq "x"', kind);
      expect([status, body.scimType]).toEqual([400, 'invalidFilter']);
    }
  });

  it('is not the usual one', async () => {
    const id = await test.createUser('usual-expression@example.com');
    const path = `/Users/${id}?attributes=userName,%20name.familyName,${USER}:active`;
    expect((await test.send('GET', path)).body).toMatchObject({ userName: expect.any(String) });
    const enterprise = `${ENTERPRISE}:department`;
    const { status } = await test.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work" and primary eq true].value', value: 'usual-2@example.com' },
      { op: 'add', value: { 'name.givenName': 'A', [enterprise]: 'Research' } },
      { op: 'add', path: ENTERPRISE, value: { costCenter: '1' } },
      { op: 'remove', path: enterprise },
    );
    expect(status).toBe(200);
    expect((await test.send('GET', `/Users/${id}`)).body.emails[0].value).toBe('usual-2@example.com');
  });
});

it('the log of requests has the whole path, without the query', async () => {
  await test.find('userName eq "nobody@example.com"');
  const lines = test.gateway.log.filter(({ msg }) => msg === 'request');
  expect(lines.at(-1)).toMatchObject({ method: 'GET', path: '/scim/v2/Users', status: 200 });
});

describe('GET /api/settings/scim', () => {
  const state = async () => (await test.admin.get('/api/settings/scim')).body;

  it('says that SCIM is on, at which address, and when the last request came', async () => {
    await test.createUser('provisioned@example.com');
    const { url, tokenEndsAt, lastRequestAt, lastRequestAddress, users } = await state();
    expect([url, lastRequestAddress]).toEqual(['http://gateway.test/scim/v2', '127.0.0.1']);
    expect(Date.parse(tokenEndsAt)).toBeGreaterThan(Date.now());
    expect(Date.now() - Date.parse(lastRequestAt)).toBeLessThan(120_000);
    expect(users).toBeGreaterThan(0);
  });

  it('says that SCIM is off when no token with the scope can be used, and still when the last request came', async () => {
    const { items } = (await test.admin.get('/api/tokens')).body;
    for (const { id } of items) expect((await test.admin.delete(`/api/tokens/${id}`)).status).toBe(200);
    const member = await ConsoleClient.as(test.gateway, 'member');
    await ScimTest.tokenOf(test.gateway, member, ['scim']);
    expect(await state()).toMatchObject({ tokenEndsAt: null, lastRequestAt: expect.any(String) });
    expect((await test.send('GET', '/Users')).status).toBe(401);
  });
});
