import { describe, expect, it } from '@jest/globals';
import { expectError } from './support/error-reply.js';
import { rawRequest } from './support/raw-http.js';
import { TestGateway } from './support/test-gateway.js';

const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
const user = await gateway.createUser();

const long = (bytes: number) => 'a'.repeat(bytes);
const inPieces = (text: string) => text.match(/[\s\S]{1,4000}/g) ?? [];

describe('an unknown URL is a 404', () => {
  it.each([
    ...['/', '/v1/', '/models', '/favicon.ico', '/v1/moderations', '/v1/chat/completions/x', '/health'],
    ...['/v1/../etc/passwd', '/%zz', '/v1/models%00', '//v1/models', '/v1//models'],
  ])('%s, with a key or without', async (path) => {
    for (const key of ['', `Authorization: ${user.headers.authorization}\r\n`]) {
      const reply = await rawRequest(gateway.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n${key}\r\n`);
      await expectError(reply, { status: 404, code: 'unknown_url' });
    }
  });

  it.each(['/v1/models/%E0%A4%A', '/openai/v1/models/%zz'])('%s is an unknown model', async (path) => {
    const reply = await rawRequest(gateway.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const { message } = await expectError(reply, { status: 404, code: 'model_not_found' });
    expect(message).toContain('%25');
  });

  it.each([
    ['/v1/responses/compact', /only POST \/v1\/responses is served/],
    ['/v1/responses/resp_1/cancel', /stores no responses.*whole conversation in 'input'/],
    ['/openai/v1/responses/resp_1/input_items', /stores no responses/],
    ['/v1/messages/batches', /Batches.*POST \/v1\/messages/],
    ['/v1/rerank', /Reranking is not served.*another provider for it/],
    ['/v1/images/generations', /Only chat/],
    ['/v1/audio/speech', /Only chat/],
    ['/v1/files', /Files are not served\. Send their content/],
    ['/v1/files/file-1/content', /Files are not served/],
    ['/v1/batches', /Batches are not served\. Send each request on its own/],
    ['/v1/vector_stores', /Vector stores, .* are not served/],
    ['/v1/assistants', /Assistants, .* are not served.*Chat Completions API/],
    ['/v1/chat/completions/chatcmpl-1', /Stored completions are not served/],
    ['/v1/chat/completions/chatcmpl-1/messages', /Stored completions are not served/],
    ['/v1beta/models/gemini-3.8-flash:generateContent', /Gemini's own API is not served.*Chat Completions API/],
    ['/v1beta', /Gemini's own API is not served/],
    ['/v1/v1/chat/completions', /\/v1 twice/],
    ['/chat/completions', /base URL to this gateway's address followed by \/v1/],
    ['/openai/deployments/gpt-6-luna/images/generations', /Azure/],
    ['/v1/nothing', /begins at \/v1/],
  ])('names what is served and what to change in the client: %s', async (path, hint) => {
    for (const headers of [user.headers, {}]) {
      const reply = await fetch(gateway.url + path, { method: 'POST', body: '{}', headers });
      const { message } = await expectError(reply, { status: 404, code: 'unknown_url' });
      expect(message).toMatch(hint);
      expect(message).toMatch(/POST \/v1\/chat\/completions, .* and GET \/v1\/models/);
    }
  });

  it('an unknown URL is a 404 for every method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']) {
      const reply = await rawRequest(
        gateway.url,
        `${method} /v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`,
      );
      await expectError(reply, { status: 404, code: 'unknown_url' });
    }
  });

  it('an unknown URL is a 404 also as `OPTIONS *`', async () => {
    const reply = await rawRequest(gateway.url, 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n');
    await expectError(reply, { status: 404, code: 'unknown_url' });
  });
});

describe('an unsupported method is a 405 that names the supported ones', () => {
  const urls = [
    ['/v1/models', ['GET', 'HEAD']],
    ['/v1/models/gpt-6-luna', ['GET', 'HEAD']],
    ['/v1/chat/completions', ['POST']],
    ['/v1/embeddings', ['POST']],
    ['/health/live', ['GET', 'HEAD']],
  ] as const;
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

  it.each(urls)('%s supports %j', async (path, allowed: readonly string[]) => {
    for (const method of methods.filter((one) => !allowed.includes(one))) {
      const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;
      const reply = await rawRequest(gateway.url, request, { untilHead: method === 'HEAD' });
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, allowed.join(', ')]);
      if (method !== 'HEAD') await expectError(reply, { status: 405, code: 'method_not_supported' });
    }
  });

  it('CONNECT is rejected, as the gateway is not a proxy', async () => {
    const reply = await rawRequest(gateway.url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
    const { headers } = await expectError(reply, { status: 405, code: 'method_not_supported' });
    expect(headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('HEAD is served where GET is, without a body', async () => {
    const key = `Authorization: ${user.headers.authorization}\r\n`;
    const reply = await rawRequest(
      gateway.url,
      `HEAD /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${key}\r\n`,
      {
        untilHead: true,
      },
    );
    expect([reply.status, reply.body]).toEqual([200, '']);
    expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(100);
  });
});

describe('requests that are too long', () => {
  it.each([8200, 60_000])('a URL of %d bytes is a 414', async (bytes) => {
    const request = `GET /v1/models?x=${long(bytes)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const reply = await rawRequest(gateway.url, request);
    await expectError(reply, { status: 414, code: 'uri_too_long' });
    expect(reply.reason).toBe('URI Too Long');
  });

  it('a URL of 20 kB is a 414 in many small packets, too', async () => {
    const pieces = inPieces(`GET /${long(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expectError(await rawRequest(gateway.url, pieces, { everyMs: 5 }), { status: 414, code: 'uri_too_long' });
  });

  it('a URL of 8 kB is not too long', async () => {
    const request = `GET /v1/models?format=array&x=${long(8000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    await expectError(await rawRequest(gateway.url, request), { status: 401, code: 'invalid_api_key' });
  });

  it.each([
    ['one of 40 kB', `X-Long: ${long(40_000)}\r\n`],
    ['many', `X-Some: ${long(500)}\r\n`.repeat(80)],
  ])('headers that are too large, %s, are a 431, whole or in pieces', async (_, headers) => {
    const request = `GET /v1/models HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
    await expectError(await rawRequest(gateway.url, request), { status: 431, code: 'headers_too_large' });
    const slow = await rawRequest(gateway.url, inPieces(request), { everyMs: 5 });
    await expectError(slow, { status: 431, code: 'headers_too_large' });
  });
});

describe('malformed HTTP is a 400 and closes the connection', () => {
  const post = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

  it.each([
    ['no HTTP at all', 'HELO gateway\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['bare line feeds', 'GET /v1/models HTTP/1.1\nHost: x\n\n'],
    ['a NUL in a header', 'GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
    ['a space in a header name', 'GET /v1/models HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['a folded header', 'GET /v1/models HTTP/1.1\r\nHost: x\r\nX-A: a\r\n  b\r\nX: y\x01\r\n\r\n'],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length and chunks', `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an unknown transfer coding', `${post}Transfer-Encoding: sponge\r\n\r\n{}`],
    ['a broken chunk', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
  ])('%s', async (_, request) => {
    const reply = await rawRequest(gateway.url, request);
    await expectError(reply, { status: 400, code: 'invalid_request' });
    expect(reply.headers.get('connection')).toBe('close');
  });

  it('malformed HTTP is a 400 and closes the connection also when a later chunk of a body is malformed', async () => {
    const key = `Authorization: ${user.headers.authorization}\r\n`;
    const pieces = [`${post}${key}Transfer-Encoding: chunked\r\n\r\n`, '2\r\n{"\r\n', 'zz\r\n'];
    await expectError(await rawRequest(gateway.url, pieces, { everyMs: 30 }), { status: 400, code: 'invalid_request' });
  });

  it('malformed HTTP is a 400 and closes the connection also without a Host header, which HTTP/1.1 requires and HTTP/1.0 does not', async () => {
    const key = `Authorization: ${user.headers.authorization}\r\n`;
    const reply = await rawRequest(gateway.url, `GET /v1/models HTTP/1.1\r\n${key}\r\n`);
    await expectError(reply, { status: 400, code: 'invalid_request' });
    expect((await rawRequest(gateway.url, `GET /v1/models HTTP/1.0\r\n${key}\r\n`)).status).toBe(200);
  });

  it('an unsupported expectation is a 417', async () => {
    const reply = await rawRequest(gateway.url, `${post}Expect: the-unexpected\r\nContent-Length: 0\r\n\r\n`);
    await expectError(reply, { status: 417, code: 'invalid_request' });
  });

  it.each(['/v1/responses', '/v1/responses?model=m', '/openai/v1/responses', '/v1/chat/completions', '/v1/messages'])(
    'a WebSocket at %s is a 426 that says what to use instead',
    async (path) => {
      const headers = `Host: x\r\nAuthorization: ${user.headers.authorization}\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGVzdA==\r\n`;
      const reply = await rawRequest(gateway.url, `GET ${path} HTTP/1.1\r\n${headers}\r\n`);
      if (path === '/v1/messages') {
        expect([reply.status, JSON.parse(reply.body).type]).toEqual([426, 'error']);
      } else {
        const { message } = await expectError(reply, { status: 426, code: 'websocket_not_supported' });
        expect(message).toMatch(/^WebSockets are not supported: send an HTTP POST/);
      }
      expect(reply.headers.get('upgrade')).toBe('HTTP/1.1');
    },
  );

  it('a request to upgrade is served without upgrading', async () => {
    const headers = `Host: x\r\nAuthorization: ${user.headers.authorization}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
    expect((await rawRequest(gateway.url, `GET /v1/models HTTP/1.1\r\n${headers}\r\n`)).status).toBe(200);
  });

  it('does not affect later requests', async () => {
    expect((await gateway.get('/v1/models', user.headers)).status).toBe(200);
    expect(gateway.log.filter(({ level }) => level === 50)).toEqual([]);
  });
});

describe('every reply', () => {
  it('has its own id, and does not reveal the server software', async () => {
    const replies = await Promise.all(
      ['/v1/models', '/v1/models', '/health/live', '/nothing'].map((path) => gateway.get(path, user.headers)),
    );
    const ids = replies.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(4);
    for (const { headers } of replies) {
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      for (const name of ['x-powered-by', 'server', 'etag', 'set-cookie', 'access-control-allow-origin']) {
        expect([name, headers.get(name)]).toEqual([name, null]);
      }
    }
  });

  it('does not reuse an id from the client', async () => {
    const { headers } = await gateway.get('/v1/models', { ...user.headers, 'x-request-id': 'req_mine' });
    expect(headers.get('x-request-id')).not.toBe('req_mine');
  });

  it('keeps the connection for 75 s', async () => {
    expect((await gateway.get('/health/live')).headers.get('keep-alive')).toBe('timeout=75');
  });

  it('is not readable for pages of other origins, and their preflight is rejected', async () => {
    const origin = { origin: 'https://app.example.com' };
    expect((await gateway.get('/v1/models', { ...user.headers, ...origin })).headers.get('vary')).toBeNull();
    const preflight = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'POST' },
    });
    await expectError(preflight, { status: 405, code: 'method_not_supported' });
  });
});
