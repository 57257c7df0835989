import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lastValueFrom, map, mergeMap } from 'rxjs';
import { outbound, textOf } from '../../../test/support/outbound.js';
import { bytes, chunk, end, gate, head, json, pause, reply, reset, sse } from '../../../test/support/script.js';
import { ScriptedUpstream } from '../../../test/support/scripted-upstream.js';
import { joinUrl, UpstreamClient } from './upstream.client.js';

describe('UpstreamClient', () => {
  let upstream: ScriptedUpstream;
  let client: UpstreamClient;

  beforeEach(async () => {
    upstream = await ScriptedUpstream.start();
    client = new UpstreamClient();
  });

  afterEach(async () => {
    await client.onApplicationShutdown();
    await upstream.close();
  });

  const statusOf = (request = outbound(upstream.url)) =>
    lastValueFrom(client.send(request).pipe(mergeMap(({ status, body }) => body.pipe(map(() => status)))));

  it('sends method, path, headers and body unchanged, and requests no compression', async () => {
    upstream.always(() => json(200, {}));
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json', 'accept-encoding': 'br' };
    await textOf(
      client.send(outbound(upstream.url, { url: `${upstream.url}/v1/x%3Ay?alt=sse`, headers, body: '{"ü":1}' })),
    );
    expect(upstream.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/x%3Ay?alt=sse',
        body: '{"ü":1}',
        headers: {
          host: upstream.url.slice('http://'.length),
          authorization: 'Bearer secret',
          'content-type': 'application/json',
          'content-length': '8',
          'accept-encoding': 'identity',
          'user-agent': 'chat-completion-gateway',
          connection: 'keep-alive',
        },
      },
    ]);
  });

  it('sends nothing until it is subscribed to', async () => {
    client.send(outbound(upstream.url));
    await delay(20);
    expect(upstream.connections).toBe(0);
  });

  it('requests the root if the URL has no path, even with GET and without a body', async () => {
    upstream.always(() => reply(200, {}, 'ok'));
    const request = outbound(upstream.url, { method: 'GET', url: upstream.url, body: undefined });
    expect(await textOf(client.send(request))).toBe('ok');
    expect(upstream.requests).toMatchObject([{ method: 'GET', path: '/', body: '' }]);
  });

  it('returns status and headers, with lower-case names and repeated ones as a list', async () => {
    upstream.always(() => reply(418, { 'X-Request-ID': 'abc', 'Set-Cookie': ['a=1', 'b=2'] }, '{}'));
    const response$ = client.send(outbound(upstream.url));
    const read$ = response$.pipe(mergeMap(({ status, headers, body }) => body.pipe(map(() => ({ status, headers })))));
    expect(await lastValueFrom(read$)).toEqual({
      status: 418,
      headers: { 'content-length': '2', 'x-request-id': 'abc', 'set-cookie': ['a=1', 'b=2'] },
    });
  });

  it('emits each piece of a body as it arrives', async () => {
    const { promise: seen, resolve: see } = Promise.withResolvers<void>();
    upstream.always(() => sse([{ n: 1 }, gate(seen), { n: 2 }]));
    const pieces: string[] = [];
    await new Promise<void>((resolve, reject) => {
      client
        .send(outbound(upstream.url))
        .pipe(mergeMap(({ body }) => body))
        .subscribe({
          next: (piece) => {
            pieces.push(piece.toString());
            see();
          },
          error: reject,
          complete: resolve,
        });
    });
    expect(pieces[0]).toBe('data: {"n":1}\n\n');
    expect(pieces.join('')).toBe('data: {"n":1}\n\ndata: {"n":2}\n\ndata: [DONE]\n\n');
  });

  it('emits an empty body that completes', async () => {
    upstream.always(() => reply(204));
    expect(await textOf(client.send(outbound(upstream.url)))).toBe('');
  });

  it('accepts a body that ends with the end of its connection', async () => {
    upstream.always(() => [head(200, { connection: 'close' }), bytes('whole'), end()]);
    expect(await textOf(client.send(outbound(upstream.url)))).toBe('whole');
  });

  it('does not follow redirects', async () => {
    upstream.always(() => reply(307, { location: `${upstream.url}/elsewhere` }, 'gone'));
    expect(await statusOf()).toBe(307);
    expect(upstream.requests).toHaveLength(1);
  });

  it('reuses a connection for the next call, and opens new ones for concurrent calls', async () => {
    upstream.always(() => [pause(20), reply(200, {}, 'ok')]);
    const call = () => textOf(client.send(outbound(upstream.url)));
    await call();
    await delay(1);
    await call();
    expect(upstream.connections).toBe(1);
    await delay(1);
    await Promise.all(Array.from({ length: 30 }, call));
    expect(upstream.connections).toBe(30);
  });

  it('does not share connections between two upstreams at the same address', async () => {
    upstream.always(() => reply(200, {}, 'ok'));
    for (const name of ['a', 'b']) await textOf(client.send(outbound(upstream.url, { upstream: name })));
    expect(upstream.connections).toBe(2);
  });

  it('reconnects when the upstream has closed a kept connection', async () => {
    upstream.enqueue([reply(200, {}, 'first'), end()]).always(() => reply(200, {}, 'second'));
    await textOf(client.send(outbound(upstream.url)));
    await delay(20);
    expect(await textOf(client.send(outbound(upstream.url)))).toBe('second');
  });

  const failures = [
    ['refuses the connection', 'http://127.0.0.1:1', 0, 'ECONNREFUSED'],
    ['has no address', 'http://nowhere.invalid', 0, /ENOTFOUND|EAI_AGAIN/],
  ] as const;
  it.each(failures)('fails with status 0 when the upstream %s', async (_case, url, status, code) => {
    await expect(textOf(client.send(outbound(url)))).rejects.toMatchObject({
      failure: { status },
      status: 502,
      body: { code: 'upstream_unreachable' },
      advice: 'retry',
      cause: { code: expect.stringMatching(code) },
    });
  });

  const early = [
    ['resets the connection', [reset()]],
    ['closes the connection', [end()]],
    ['closes the connection within the head', [bytes('HTTP/1.1 200 OK\r\nx-a: '), end()]],
    ['resets the connection within the head', [bytes('HTTP/1.1 200 OK\r\nx-a: '), pause(20), reset()]],
  ] as const;
  it.each(early)('fails with status 0 when the upstream %s before the response', async (_case, script) => {
    upstream.always(() => script);
    await expect(textOf(client.send(outbound(upstream.url)))).rejects.toMatchObject({ failure: { status: 0 } });
    expect(upstream.requests).toHaveLength(1);
  });

  const broken = [
    ['a reset in the body', [head(200, { 'content-length': '9' }), bytes('abc'), pause(20), reset()]],
    ['a body shorter than its content-length', [head(200, { 'content-length': '9' }), bytes('abc'), end()]],
    ['chunks without their last one', [head(200, { 'transfer-encoding': 'chunked' }), chunk('abc'), end()]],
    [
      'chunks without their last one on a connection to be closed',
      [head(200, { 'transfer-encoding': 'chunked', connection: 'close' }), chunk('abc'), end()],
    ],
    ['a chunk without a length', [head(200, { 'transfer-encoding': 'chunked' }), chunk('abc'), bytes('zz\r\n')]],
  ] as const;
  it.each(broken)('emits what arrived, then fails with status 502 for %s', async (_case, script) => {
    upstream.always(() => script);
    const pieces: string[] = [];
    const read$ = client.send(outbound(upstream.url)).pipe(
      mergeMap(({ body }) => body),
      map((piece) => pieces.push(piece.toString())),
    );
    await expect(lastValueFrom(read$)).rejects.toMatchObject({
      failure: { status: 502 },
      body: { code: 'upstream_error' },
    });
    expect(pieces.join('')).toBe('abc');
  });

  it('accepts a head of 50 kB and fails with status 502 for a larger one', async () => {
    upstream.enqueue(reply(200, { 'x-large': 'x'.repeat(50_000) }, 'ok'));
    upstream.enqueue(reply(200, { 'x-large': 'x'.repeat(70_000) }, 'ok'));
    expect(await textOf(client.send(outbound(upstream.url)))).toBe('ok');
    await expect(textOf(client.send(outbound(upstream.url)))).rejects.toMatchObject({
      failure: { status: 502 },
      cause: { code: 'UND_ERR_HEADERS_OVERFLOW' },
    });
  });

  it('fails with status 502 for a response that is not HTTP, and keeps its bytes out of the error', async () => {
    upstream.always(() => [bytes('set-cookie: hidden\r\n\r\n'), end()]);
    const error = await textOf(client.send(outbound(upstream.url))).catch((reason: Error) => reason);
    expect(error).toMatchObject({ failure: { status: 502 }, cause: { code: 'HTTPParserError' } });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hidden');
    expect(JSON.stringify((error as Error).cause)).not.toContain('hidden');
  });

  it('fails for a header that cannot be sent, without its value in the error', async () => {
    const headers = { authorization: 'Bearer secret\n' };
    const error = (await textOf(client.send(outbound(upstream.url, { headers }))).catch((e: Error) => e)) as Error;
    expect(error).toMatchObject({ failure: { status: 0 } });
    expect(`${error.stack} ${(error.cause as Error).stack}`).not.toContain('secret');
    expect(upstream.connections).toBe(0);
  });

  it('closes its connections when the application shuts down', async () => {
    upstream.always(() => [head(200, { 'content-length': '9' }), pause(5_000)]);
    const call = textOf(client.send(outbound(upstream.url)));
    call.catch(() => undefined);
    const { aborted } = await upstream.received();
    await client.onApplicationShutdown();
    await aborted;
    await expect(call).rejects.toMatchObject({ name: 'UpstreamError' });
  });
});

describe('joinUrl', () => {
  it.each([
    ['https://api.openai.com/v1', '/chat/completions', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.mistral.ai', '/v1/chat/completions', 'https://api.mistral.ai/v1/chat/completions'],
    ['https://api.mistral.ai/v1', '/v1/chat/completions', 'https://api.mistral.ai/v1/chat/completions'],
    ['https://api.groq.com', '/openai/v1/chat/completions', 'https://api.groq.com/openai/v1/chat/completions'],
    [
      'https://api.groq.com/openai/v1',
      '/openai/v1/chat/completions',
      'https://api.groq.com/openai/v1/chat/completions',
    ],
    ['https://proxy/v1/openai', '/v1/chat/completions', 'https://proxy/v1/openai/v1/chat/completions'],
  ])('joins %s and %s to %s', (baseUrl, path, url) => {
    expect(joinUrl(baseUrl, path)).toBe(url);
  });
});
