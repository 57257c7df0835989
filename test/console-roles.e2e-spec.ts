import { describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { HttpAdapterHost, ModulesContainer, Reflector } from '@nestjs/core';
import { PERMISSION_NAMES, type Permission } from '../src/accounts/permissions.js';
import { ProjectMembersService } from '../src/accounts/project-members.service.js';
import { ProjectsService } from '../src/accounts/projects.service.js';
import { ServiceAccountsService } from '../src/accounts/service-accounts.service.js';
import { UsersService } from '../src/accounts/users.service.js';
import { GATEWAY } from '../src/audit/audit.types.js';
import { AccessTokensService } from '../src/auth/access-tokens.service.js';
import { ConsoleGuard } from '../src/console/session/console.guard.js';
import { Access } from '../src/console/session/route-access.js';
import { ConsoleClient } from './support/console-client.js';
import { MEMBER, PROJECT_MANAGER, PROJECT_MEMBER, ROUTES } from './support/route-permissions.js';
import { TestGateway } from './support/test-gateway.js';

type Row = (typeof ROUTES)[number];
type Outcome =
  | 'allowed'
  | 'not_signed_in'
  | 'invalid_access_token'
  | 'insufficient_permissions'
  | 'admin_only'
  | string;

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const OTHER_ROUTES = ROUTES.filter(({ needs }) => needs !== 'anyone');

const gateway = await TestGateway.start();
const user = await gateway.createUser();
const member = await ConsoleClient.as(gateway, 'member');

describe('every route under /api', () => {
  it('is guarded, and needs what the table says', () => {
    const found = consoleRoutes(gateway);
    expect(found.filter(({ isGuarded }) => !isGuarded)).toEqual([]);
    const toLine = ({ route, needs, reach }: Pick<Row, 'route' | 'needs' | 'reach'>) =>
      [route, needs, reach].filter(Boolean).join(' ');
    expect(found.map(toLine).sort()).toEqual(ROUTES.map(toLine).sort());
  });

  it('belongs to a controller: nothing else serves these paths', () => {
    const served = servedPaths(gateway);
    expect(served).toEqual(expect.arrayContaining(['/api/session']));
    const known = new Set(ROUTES.map(({ path }) => path));
    expect(served.filter((path) => !known.has(path))).toEqual([]);
  });

  it('has its permission and its security in the OpenAPI document', async () => {
    const document = await (await fetch(`${gateway.url}/docs/openapi.json`)).json();
    const { paths } = document as { paths: Record<string, Record<string, Record<string, unknown>>> };
    for (const { path, method, needs, reach, route } of ROUTES) {
      const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      // Stripe's webhook is not part of the documented API.
      if (!operation && path.endsWith('/webhook')) continue;
      const isOpen = needs === 'anyone';
      expect([route, operation?.['x-permission'], operation?.['x-reach'], operation?.security]).toEqual([
        ...[route, reach && needs, reach],
        isOpen ? [] : [{ session: [] }, { token: [] }],
      ]);
    }
  });

  it('answers 401 to nobody, unless it is for anyone', async () => {
    expect(await outcomes(OTHER_ROUTES, (row) => answer(row))).toEqual(expected(OTHER_ROUTES, () => 'not_signed_in'));
  });

  it('accepts no API key in any header', async () => {
    const key = user.key.key;
    const places: [string, Record<string, string>][] = [
      ['invalid_access_token', { authorization: `Bearer ${key}` }],
      ['not_signed_in', { 'x-api-key': key }],
      ['not_signed_in', { cookie: `gateway_session=${key}` }],
    ];
    for (const [code, headers] of places) {
      // Calls with a wrong token count against the address.
      const rows = code === 'not_signed_in' ? OTHER_ROUTES : OTHER_ROUTES.slice(0, 5);
      expect(await outcomes(rows, (row) => answer(row, headers))).toEqual(expected(rows, () => code));
    }
    const session = await fetch(`${gateway.url}/api/session`, { headers: { 'x-api-key': key } });
    expect(await session.json()).toMatchObject({ user: null });
  });

  it('answers 403 to a member if it is for everything', async () => {
    const asMember = await outcomes(OTHER_ROUTES, (row) => asPerson('member', row));
    expect(asMember).toEqual(expected(OTHER_ROUTES, ({ reach }) => (reach === 'all' ? 'admin_only' : 'allowed')));
  });

  it('is open to an administrator', async () => {
    const asAdmin = await outcomes(OTHER_ROUTES, (row) => asPerson('admin', row));
    expect(asAdmin).toEqual(expected(OTHER_ROUTES, () => 'allowed'));
  });

  it('is open to a token with its permission alone, and answers 403 with the name of a missing one', async () => {
    const admin = await gateway.createPerson({ role: 'admin' });
    const seenWith = async (scopes: readonly Permission[], rows: readonly Row[]) => {
      const headers = await tokenOf(admin.id, scopes);
      return outcomes(rows, (row) => answer(row, headers));
    };
    for (const scope of PERMISSION_NAMES) {
      const rows = OTHER_ROUTES.filter(({ needs }) => needs === scope);
      expect(await seenWith([scope], rows)).toEqual(expected(rows, () => 'allowed'));
      const others = PERMISSION_NAMES.filter((name) => name !== scope);
      expect(await seenWith(others, rows)).toEqual(expected(rows, () => `insufficient_permissions ${scope}`));
    }
    const rows = OTHER_ROUTES.filter(({ needs }) => needs === 'signed-in');
    expect(await seenWith(['usage.read'], rows)).toEqual(expected(rows, () => 'allowed'));
  });

  it('answers 401 to a token of a disabled owner', async () => {
    const admin = await gateway.createPerson({ role: 'admin' });
    const headers = await tokenOf(admin.id, PERMISSION_NAMES);
    expect(await answer({ method: 'GET', path: '/api/users' }, headers)).toBe('allowed');
    await gateway.services.get(UsersService).update(admin.id, { disabled: true, evenLast: true }, GATEWAY);
    const rows = OTHER_ROUTES.slice(0, 60);
    expect(await outcomes(rows, (row) => answer(row, headers))).toEqual(expected(rows, () => 'invalid_access_token'));
  });

  it('is open to managers of a project there, and to its members as far as their role allows', async () => {
    const project = await gateway.services.get(ProjectsService).create('Search', GATEWAY);
    const account = await gateway.services.get(ServiceAccountsService).create(project.id, 'crawler', GATEWAY);
    const [manager, reader] = [await ConsoleClient.as(gateway, 'member'), await ConsoleClient.as(gateway, 'member')];
    const members = gateway.services.get(ProjectMembersService);
    await members.set(project.id, manager.user.id, 'manager', GATEWAY);
    await members.set(project.id, reader.user.id, 'member', GATEWAY);
    const rows = ROUTES.filter(({ reach }) => reach === 'project');
    const call = (client: ConsoleClient) => (row: Row) => {
      const url = row.path
        .replace(':kind', 'project')
        .replace(':id', project.id)
        .replace(':userId', reader.user.id)
        .replace(':accountId', account.id);
      return answer({ method: row.method, path: url }, cookieOf(client), BODIES[row.route]);
    };
    const may = (permissions: string) => (row: Row) =>
      permissions.split(' ').includes(row.needs) ? 'allowed' : 'manager_only';
    expect(await outcomes(rows, call(reader))).toEqual(expected(rows, may(PROJECT_MEMBER)));
    // The last one removes the member.
    expect(await outcomes(rows, call(manager))).toEqual(expected(rows, may(PROJECT_MANAGER)));
    expect(await outcomes(rows, call(reader))).toEqual(expected(rows, () => 'not_found'));
  });

  it('finds nothing of what belongs to another person', async () => {
    const { id: userId } = await gateway.createPerson();
    const token = await gateway.services
      .get(AccessTokensService)
      .create({ userId, name: 'other', scopes: ['keys.read'] }, GATEWAY);
    const ids: Record<string, string> = { keys: user.key.id, tokens: token.id };
    const rows = ROUTES.filter(({ path, reach }) => reach === 'own' && /^\/api\/(keys|tokens)\/:id/.test(path));
    expect(rows.length).toBeGreaterThan(11);
    for (const { method, path, route } of rows) {
      for (const id of [ids[path.split('/')[2] ?? ''] ?? '', 'prototype']) {
        const body = method === 'GET' ? undefined : (BODIES[route] ?? {});
        const { status } = await member.send(method, path.replace(':id', id), body);
        expect([route, id, status]).toEqual([route, id, 404]);
      }
    }
  });

  it.each([
    ['member', MEMBER],
    ['project manager', PROJECT_MANAGER],
    ['project member', PROJECT_MEMBER],
    ['administrator', [...PERMISSION_NAMES].join(' ')],
  ])('has its permission in the list that the console shows for the role %s', async (role, permissions) => {
    const { body } = await member.get('/api/permissions');
    const shown = body.filter(({ roles }: { roles: { role: string }[] }) => roles.some((one) => one.role === role));
    expect(shown.map(({ id }: { id: string }) => id).sort()).toEqual(permissions.split(' ').sort());
  });
});

describe('GET /api/session', () => {
  it('has what a person may do for everything, by which the console decides what it shows', async () => {
    const admin = await ConsoleClient.as(gateway, 'admin');
    expect((await admin.get('/api/session')).body.permissions).toEqual(PERMISSION_NAMES);
    expect((await member.get('/api/session')).body.permissions).toEqual([]);
    expect((await ConsoleClient.of(gateway).get('/api/session')).body.permissions).toEqual([]);
  });
});

/** Valid bodies, so that the answer depends on the role. */
const BODIES: Readonly<Record<string, object>> = {
  'PATCH /api/keys/:id': { name: 'mine' },
  'PUT /api/keys/:id/cache': { cache: '1h' },
  'PUT /api/keys/:id/content-log': { on: true },
  'POST /api/keys/:id/rotate': { overlap: 'none' },
  'PATCH /api/tokens/:id': { name: 'mine' },
  'PUT /api/guards/:kind/:id': { guards: [] },
  'PATCH /api/projects/:id': { name: 'Search' },
  'PUT /api/projects/:id/cache': { cache: 'none' },
  'PUT /api/projects/:id/content-log': { on: false },
  'PUT /api/projects/:id/limits': {},
  'POST /api/projects/:id/members': { email: 'nobody@example.com', role: 'member' },
  'PUT /api/projects/:id/members/:userId': { role: 'member' },
  'POST /api/projects/:id/service-accounts': { name: 'second' },
  'PATCH /api/projects/:id/service-accounts/:accountId': { name: 'crawler' },
};

async function outcomes(rows: readonly Row[], call: (row: Row) => Promise<Outcome>): Promise<string[]> {
  const found: string[] = [];
  for (const row of rows) found.push(`${row.route} → ${await call(row)}`);
  return found;
}

function expected(rows: readonly Row[], outcome: (row: Row) => Outcome): string[] {
  return rows.map((row) => `${row.route} → ${outcome(row)}`);
}

const people = new Map<string, ConsoleClient>();

/** As a person who signs in again when a route has ended the session. */
async function asPerson(role: 'admin' | 'member', row: Row): Promise<Outcome> {
  let client = people.get(role);
  if (!client || (await client.get('/api/session')).body.user === null) {
    client = await ConsoleClient.as(gateway, role);
    people.set(role, client);
  }
  return answer(row, cookieOf(client));
}

async function tokenOf(userId: string, scopes: readonly Permission[]): Promise<Record<string, string>> {
  const { token } = await gateway.services.get(AccessTokensService).create({ userId, name: 'test', scopes }, GATEWAY);
  return { authorization: `Bearer ${token}` };
}

describe('a session', () => {
  it.each(['/v1/models', '/v1/models/gpt-6-luna', '/openai/v1/models'])('gives no access to %s', async (path) => {
    const response = await fetch(gateway.url + path, { headers: cookieOf(member) });
    expect(response.status).toBe(401);
  });

  it('gives no access to completions', async () => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...cookieOf(member), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(response.status).toBe(401);
  });
});

describe('a request that changes something', () => {
  const rename = async (headers: Record<string, string>, at = gateway) => {
    const client = at === gateway ? member : await ConsoleClient.as(at, 'member');
    client.headers = headers;
    const { status, body } = await client.patch('/api/account', { name: 'New' });
    client.headers = {};
    return body?.error?.code ?? status;
  };

  it.each<[string, () => Record<string, string>]>([
    ['says that it comes from another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['says that it comes from a neighbouring host', () => ({ 'sec-fetch-site': 'same-site' })],
    ['says neither, with a foreign origin', () => ({ origin: 'https://evil.example' })],
    ['comes from a page without an origin', () => ({ origin: 'null' })],
    ['comes from another port', () => ({ origin: 'http://127.0.0.1:1' })],
    [
      'says both, contradicting itself',
      () => ({ 'sec-fetch-site': 'cross-site', origin: new URL(gateway.url).origin }),
    ],
  ])('is refused when it %s', async (_, headers) => {
    expect(await rename(headers())).toBe('cross_site_request');
  });

  it.each<[string, () => Record<string, string>]>([
    ['a page of the console', () => ({ 'sec-fetch-site': 'same-origin', origin: new URL(gateway.url).origin })],
    ['an old browser on plain HTTP', () => ({ origin: new URL(gateway.url).origin })],
    ['the person itself', () => ({ 'sec-fetch-site': 'none' })],
    ['a program', () => ({})],
  ])('is accepted from %s', async (_, headers) => {
    expect(await rename(headers())).toBe(200);
  });

  it('is refused before its body is read, even if no session is needed', async () => {
    const client = ConsoleClient.of(gateway);
    client.headers = { 'sec-fetch-site': 'cross-site' };
    const { email, password } = member.user;
    const reply = await client.post('/api/session', { email, password });
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'cross_site_request' } } });
    expect(client.cookies.size).toBe(0);
  });

  it('can come from the public address behind a proxy that changes the host', async () => {
    const behindProxy = await TestGateway.start({ env: { APP_URL: 'https://gateway.example.com' } });
    expect(await rename({ origin: 'https://gateway.example.com' }, behindProxy)).toBe(200);
    expect(await rename({ origin: 'http://gateway.example.com' }, behindProxy)).toBe('cross_site_request');
    expect(await rename({ origin: 'https://gateway.example.com.evil.example' }, behindProxy)).toBe(
      'cross_site_request',
    );
    const { body } = await ConsoleClient.of(behindProxy).get('/api/session');
    expect(body.baseUrl).toBe('https://gateway.example.com/v1');
  });

  it('must be JSON, which a form of another site cannot send', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const response = await fetch(`${gateway.url}/api/account`, {
        method: 'PATCH',
        headers: { ...cookieOf(member), 'content-type': type },
        body: '{"name":"x"}',
      });
      expect(response.status).toBe(415);
    }
  });
});

/** `allowed` if the answer does not depend on who asks, whether or not the object exists. */
async function answer(
  { method, path }: Pick<Row, 'method' | 'path'>,
  headers: Record<string, string> = {},
  body?: object,
): Promise<Outcome> {
  const response = await fetch(gateway.url + path.replace(/:\w+/g, UNKNOWN_ID), {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const { error } = (isJson ? await response.json() : {}) as { error?: { code: string | null; message: string } };
  if (error?.code === 'insufficient_permissions') {
    return `insufficient_permissions ${/permission (\S+):/.exec(error.message)?.[1]}`;
  }
  if (response.status === 404 && error?.message === 'The project does not exist.' && !path.includes(':'))
    return 'not_found';
  const isRefused = response.status === 401 || response.status === 429 || response.status >= 500;
  return isRefused || /_only$/.test(error?.code ?? '') ? String(error?.code) : 'allowed';
}

function cookieOf(client: ConsoleClient): Record<string, string> {
  return { cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}

/** The routes of all controllers under /api, as their decorators say. */
function consoleRoutes({ services }: TestGateway) {
  const reflector = services.get(Reflector);
  const controllers = [...services.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  return controllers.flatMap(({ metatype }) => {
    if (typeof metatype !== 'function') return [];
    const base: string = [Reflect.getMetadata(PATH_METADATA, metatype)].flat()[0] ?? '';
    if (!/^\/?api(\/|$)/.test(base)) return [];
    const guards: unknown[] = Reflect.getMetadata(GUARDS_METADATA, metatype) ?? [];
    return handlersOf(metatype).map((handler) => {
      const path = `/${base}/${Reflect.getMetadata(PATH_METADATA, handler)}`.replace(/\/+/g, '/').replace(/\/$/, '');
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler)] ?? 'GET';
      const access = [reflector.getAllAndOverride(Access, [handler, metatype])].flat() as string[];
      const [needs = 'nothing', reach] = access;
      return { route: `${method} ${path}`, needs, reach, isGuarded: guards.includes(ConsoleGuard) };
    });
  });
}

type Handler = (...values: unknown[]) => unknown;

function handlersOf(controller: { prototype: object }): Handler[] {
  const properties = Object.values(Object.getOwnPropertyDescriptors(controller.prototype));
  return properties
    .map(({ value }): Handler => value)
    .filter((value) => typeof value === 'function' && Reflect.hasMetadata(METHOD_METADATA, value));
}

/** The routes under /api that the HTTP server itself knows. */
function servedPaths({ services }: TestGateway): string[] {
  const { httpAdapter } = services.get(HttpAdapterHost);
  const { stack }: { stack: { route?: { path: string } }[] } = httpAdapter.getInstance().router;
  return stack.flatMap(({ route }) => (route?.path.startsWith('/api') ? [route.path] : []));
}
