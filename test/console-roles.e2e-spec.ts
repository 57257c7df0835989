import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RequestMethod } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { HttpAdapterHost, ModulesContainer, Reflector } from '@nestjs/core';
import { ConsoleGuard } from '../src/console/session/console.guard.js';
import { Role } from '../src/console/session/role.js';
import { ConsoleClient } from './support/console-client.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

interface Route {
  readonly method: string;
  readonly path: string;
  /** With something in the place of each parameter. */
  readonly url: string;
  readonly role: string | undefined;
  readonly isGuarded: boolean;
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let gateway: TestGateway;
let user: TestUser;
let routes: Route[];
let member: ConsoleClient;

beforeAll(async () => {
  gateway = await TestGateway.start();
  user = await gateway.createUser();
  member = await ConsoleClient.as(gateway, 'member');
  routes = consoleRoutes(gateway);
});
afterAll(() => gateway?.stop());

describe('every route under /api', () => {
  it('belongs to a guarded controller and states its role', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(routes.filter(({ role, isGuarded }) => !isGuarded || !/^(anyone|member|admin)$/.test(role ?? ''))).toEqual(
      [],
    );
  });

  it('belongs to a controller: nothing else serves these paths', () => {
    const served = servedPaths(gateway);
    expect(served).toEqual(expect.arrayContaining(['/api/session']));
    const known = new Set(routes.map(({ path }) => path));
    expect(served.filter((path) => !known.has(path))).toEqual([]);
  });

  it('answers 401 without a session, unless it is for anyone', async () => {
    for (const { method, url, role } of routes.filter((route) => route.role !== 'anyone')) {
      expect(await answer(method, url)).toEqual({ method, url, status: 401, code: 'not_signed_in' });
      expect(role).toMatch(/member|admin/);
    }
  });

  it('accepts no API key in any header', async () => {
    const key = user.key.key;
    const places: Record<string, string>[] = [
      { authorization: `Bearer ${key}` },
      { 'x-api-key': key },
      { cookie: `gateway_session=${key}` },
    ];
    for (const headers of places) {
      for (const { method, url } of routes.filter(({ role }) => role !== 'anyone')) {
        expect(await answer(method, url, headers)).toEqual({ method, url, status: 401, code: 'not_signed_in' });
      }
    }
    const session = await fetch(`${gateway.url}/api/session`, { headers: user.headers });
    expect(await session.json()).toMatchObject({ user: null });
  });

  it('answers 403 to a member when it is for admins', async () => {
    const forAdmins = routes.filter(({ role }) => role === 'admin');
    expect(forAdmins.length).toBeGreaterThan(4);
    for (const { method, url } of forAdmins) {
      expect(await answer(method, url, cookieOf(member))).toEqual({ method, url, status: 403, code: 'admin_only' });
    }
  });
});

describe('a session', () => {
  it.each(['/v1/models', '/v1/models/gpt-5.4-nano', '/openai/v1/models'])('gives no access to %s', async (path) => {
    const response = await fetch(gateway.url + path, { headers: cookieOf(member) });
    expect(response.status).toBe(401);
  });

  it('gives no access to completions', async () => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...cookieOf(member), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5.4-nano', messages: [{ role: 'user', content: 'Hello' }] }),
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
    try {
      expect(await rename({ origin: 'https://gateway.example.com' }, behindProxy)).toBe(200);
      expect(await rename({ origin: 'http://gateway.example.com' }, behindProxy)).toBe('cross_site_request');
      expect(await rename({ origin: 'https://gateway.example.com.evil.example' }, behindProxy)).toBe(
        'cross_site_request',
      );
      const { body } = await ConsoleClient.of(behindProxy).get('/api/session');
      expect(body.baseUrl).toBe('https://gateway.example.com/v1');
    } finally {
      await behindProxy.stop();
    }
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

async function answer(method: string, url: string, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url + url, { method, headers, redirect: 'manual' });
  const { error } = (await response.json()) as { error?: { code: string } };
  return { method, url, status: response.status, code: error?.code };
}

function cookieOf(client: ConsoleClient): Record<string, string> {
  return { cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}

/** The routes of all controllers under /api, as their decorators say. */
function consoleRoutes({ services }: TestGateway): Route[] {
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
      return {
        method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler)] ?? 'GET',
        path,
        url: path.replace(/:\w+/g, UNKNOWN_ID).replace(/\/\{?\*\w+\}?/, '/x'),
        role: reflector.getAllAndOverride(Role, [handler, metatype]),
        isGuarded: guards.includes(ConsoleGuard),
      };
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
