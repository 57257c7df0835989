import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { outbound, textOf } from '../../../../test/support/outbound.js';
import { bytes, drip, end, pause, reply } from '../../../../test/support/script.js';
import { ScriptedUpstream } from '../../../../test/support/scripted-upstream.js';
import { UpstreamClient } from '../upstream.client.js';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const PROCESSING = 'HTTP/1.1 102 Processing\r\nx-progress: 5\r\n\r\n';
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';

describe('skipInterimResponses', () => {
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

  const call = () => textOf(client.send(outbound(upstream.url)));

  it('is still needed: undici alone fails on a 100', async () => {
    upstream.always(() => bytes(`${CONTINUE}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`));
    await expect(request(upstream.url)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });

  const interim = [
    ['100', CONTINUE],
    ['102', PROCESSING],
    ['103', EARLY_HINTS],
    ['100 without a reason', 'HTTP/1.1 100 \r\n\r\n'],
    ['100 of HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\n'],
    ['several', EARLY_HINTS + CONTINUE + PROCESSING + CONTINUE],
  ] as const;

  it.each(interim)('hides %s before the response', async (_case, first) => {
    upstream.always(() => [bytes(first), pause(5), reply(200, {}, 'ok')]);
    expect(await call()).toBe('ok');
    await delay(1);
    expect(await call()).toBe('ok');
    expect(upstream.connections).toBe(1);
  });

  it.each(interim)('hides %s sent separately from the response', async (_case, first) => {
    upstream.always(() => bytes(`${first}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`));
    expect(await call()).toBe('ok');
  });

  it('hides responses that arrive byte by byte', async () => {
    upstream.always(() => [drip(CONTINUE + EARLY_HINTS), drip('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')]);
    expect(await call()).toBe('ok');
  });

  it('does not change a body that looks like an interim response', async () => {
    const chunked = `HTTP/1.1 200 OK\r\ncontent-length: ${CONTINUE.length}\r\n\r\n`;
    upstream.always(() => [bytes(chunked), pause(5), bytes(CONTINUE)]);
    expect(await call()).toBe(CONTINUE);
  });

  it('never returns an interim response as the answer', async () => {
    upstream.always(() => [bytes(CONTINUE), pause(5), end()]);
    await expect(call()).rejects.toMatchObject({ failure: { status: 0 } });
  });

  it('fails on an unrequested switch of protocols', async () => {
    upstream.always(() => bytes('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'));
    await expect(call()).rejects.toMatchObject({ failure: { status: 0 } });
  });

  it('fails on an interim response without an end', async () => {
    upstream.always(() => [bytes(`HTTP/1.1 100 Continue\r\nx-a: ${'x'.repeat(80_000)}`), pause(2_000)]);
    await expect(call()).rejects.toMatchObject({ failure: { status: 502 } });
  });
});
