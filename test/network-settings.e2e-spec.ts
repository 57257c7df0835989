import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from './support/error-reply.js';
import { rawRequest } from './support/raw-http.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const ORIGIN = 'https://app.example.com';
const SERVER = `server:
  trustProxy: [127.0.0.1, 10.0.0.0/8]
  corsOrigins: ["${ORIGIN}", "http://localhost:3000"]
  keepAliveTimeout: 2s
`;

let gateway: TestGateway;
let user: TestUser;

beforeAll(async () => {
  gateway = await TestGateway.start({ env: { SIMULATOR: 'on' }, config: { 'gateway.yaml': SERVER } });
  user = await gateway.createUser();
});

describe('behind a trusted proxy', () => {
  let inside: TestUser;
  beforeAll(async () => {
    inside = await gateway.createUser({ addresses: ['203.0.113.0/24', '2001:db8::/32'] });
  });

  it.each([
    ['203.0.113.7', 200],
    ['2001:db8::7', 200],
    ['::ffff:203.0.113.7', 200],
    ['198.51.100.1, 203.0.113.7', 200],
    ['203.0.113.7, 10.1.2.3', 200],
    ['203.0.113.7, 198.51.100.1', 403],
    ['203.0.113.7, 198.51.100.1, 10.1.2.3', 403],
    ['198.51.100.1', 403],
    ['203.0.113.7:4711', 403],
    ['unknown', 403],
    ["203.0.113.7' OR 1=1", 403],
    ['', 403],
  ])('the client’s address is the last one that is not a trusted proxy: %j → %d', async (forwarded, status) => {
    const reply = await gateway.get('/v1/models', { ...inside.headers, 'x-forwarded-for': forwarded });
    expect(reply.status).toBe(status);
    if (status === 403) await expectError(reply, { status, type: 'permission_error', code: 'ip_not_allowed' });
  });

  it('several such headers are one list', async () => {
    const lines = `Host: x\r\nAuthorization: ${inside.headers.authorization}\r\n`;
    const spoofed = 'X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-For: 198.51.100.1\r\n';
    const reply = await rawRequest(gateway.url, `GET /v1/models HTTP/1.1\r\n${lines}${spoofed}\r\n`);
    await expectError(reply, { status: 403, type: 'permission_error', code: 'ip_not_allowed' });
  });
});

describe('for pages of a configured origin', () => {
  const preflight = (path: string, origin: string) =>
    fetch(gateway.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
      },
    });

  it.each(['/v1/chat/completions', '/v1/models', '/openai/v1/chat/completions'])('%s can be called', async (path) => {
    const { status, headers } = await preflight(path, ORIGIN);
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-headers': 'authorization,content-type,x-stainless-lang',
      'access-control-allow-methods': expect.stringContaining('POST'),
      'x-request-id': expect.stringMatching(/^req_/),
    });
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('answers, errors and the headers for clients can be read', async () => {
    for (const headers of [user.headers, { authorization: 'Bearer svc_wrong' }]) {
      const reply = await gateway.get('/v1/models', { ...headers, origin: ORIGIN });
      expect(reply.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(reply.headers.get('vary')).toBe('Origin');
      const exposed = reply.headers.get('access-control-expose-headers')?.split(',');
      expect(exposed).toEqual(expect.arrayContaining(['x-request-id', 'retry-after', 'x-should-retry']));
    }
  });

  it.each(['/health/live', '/nothing', '/v1x/models'])('nothing except the API is accessible: %s', async (path) => {
    expect((await gateway.get(path, { origin: ORIGIN })).headers.get('access-control-allow-origin')).toBeNull();
    expect((await preflight(path, ORIGIN)).status).not.toBe(204);
  });

  it.each(['https://evil.example', 'null', `${ORIGIN}.evil.example`, 'http://app.example.com'])(
    'the origin %s does not match',
    async (origin) => {
      const reply = await gateway.get('/v1/models', { ...user.headers, origin });
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
      expect((await preflight('/v1/models', origin)).headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});

it('an idle connection is kept as long as configured', async () => {
  expect((await gateway.get('/health/live')).headers.get('keep-alive')).toBe('timeout=2');
});
