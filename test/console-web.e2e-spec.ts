import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { expectError } from './support/error-reply.js';
import { rawRequest } from './support/raw-http.js';
import { TestGateway } from './support/test-gateway.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const index = readFileSync('dist/web/index.html', 'utf8');
const script = /src="(\/assets\/index-[^"]+\.js)"/.exec(index)?.[1] ?? '';

const gateway = await TestGateway.start();

/** Without the decoding and the normalising of paths that `fetch` does. */
function raw(path: string, headers: Record<string, string> = {}, { method = 'GET', untilHead = false } = {}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return rawRequest(
    gateway.url,
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('')}\r\n`,
    {
      untilHead,
    },
  );
}

describe('a page of the console', () => {
  it.each(['/', '/usage?range=7d', '/models/openai/gpt-oss-20b', '/no-such-page'])(
    '%s is the one HTML page, so that every address can be opened and shared',
    async (path) => {
      const reply = await gateway.get(path, BROWSER);
      expect([reply.status, await reply.text()]).toEqual([200, index]);
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  it('cannot load content of other origins, and cannot be framed', async () => {
    const { headers } = await gateway.get('/', BROWSER);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]),
    );
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('follows its own policy: no inline script, nothing from another origin', () => {
    expect(index).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|https?:\/\//);
  });

  it('is revalidated each time, and sent again only if it has changed', async () => {
    const first = await raw('/keys', BROWSER);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await raw(
      '/keys',
      { ...BROWSER, 'if-none-match': first.headers.get('etag') ?? '' },
      { untilHead: true },
    );
    expect([again.status, again.body]).toEqual([304, '']);
  });

  it('answers HEAD with the same head and no body', async () => {
    const reply = await raw('/keys', BROWSER, { method: 'HEAD', untilHead: true });
    expect([reply.status, reply.body, reply.headers.get('content-length')]).toEqual([
      200,
      '',
      String(Buffer.byteLength(index)),
    ]);
  });
});

describe('a file with a hash in its name', () => {
  it('can be cached permanently', async () => {
    const reply = await gateway.get(script);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('is sent in the best compression that the client accepts', async () => {
    const plain = readFileSync(`dist/web${script}`);
    const read = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
    for (const [encoding, decode] of Object.entries(read)) {
      const { headers, body } = await request(gateway.url + script, { headers: { 'accept-encoding': encoding } });
      expect(headers['content-encoding'] ?? 'identity').toBe(encoding);
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(headers.vary).toBe('Accept-Encoding');
      expect(decode(Buffer.from(await body.arrayBuffer())).equals(plain)).toBe(true);
    }
  });
});

describe('paths that are not pages remain 404s of the API', () => {
  it.each(['/v1/nothing', '/openai/v1/nothing', '/api/nothing', '/health/nothing', '/assets/gone.js'])(
    '%s, even for a browser',
    async (path) => {
      await expectError(await raw(path, BROWSER), { status: 404, code: 'unknown_url' });
    },
  );

  it.each([
    '/',
    '/keys',
    '/index.htm',
    '/.vite/manifest.json',
    '/.built',
    '/../package.json',
    '/assets/..%2f..%2fmain.js',
  ])('%s for a client that does not ask for HTML', async (path) => {
    await expectError(await raw(path, { accept: '*/*' }), { status: 404, code: 'unknown_url' });
  });

  it('another method than GET and HEAD, even for a browser', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const reply = await raw('/keys', { ...BROWSER, 'content-length': '0' }, { method });
      await expectError(reply, { status: 404, code: 'unknown_url' });
    }
  });

  it('no path leads outside the folder', async () => {
    for (const path of ['/../../package.json', '/%2e%2e/main.js', '/assets/../../main.js', '/..%5cmain.js', '/%00']) {
      const reply = await raw(path, BROWSER);
      expect(reply.status === 404 || reply.body === index).toBe(true);
    }
  });
});
