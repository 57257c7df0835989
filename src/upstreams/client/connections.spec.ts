import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Certificate, createCertificate } from '../../../test/support/certificate.js';
import { ConnectProxy } from '../../../test/support/connect-proxy.js';
import { eventually } from '../../../test/support/eventually.js';
import { outbound, textOf } from '../../../test/support/outbound.js';
import { bytes, reply } from '../../../test/support/script.js';
import { ScriptedUpstream } from '../../../test/support/scripted-upstream.js';
import type { Proxies } from '../../common/outbound-http.js';
import { UpstreamClient } from './upstream.client.js';

const run = promisify(execFile);
const SUPPORT = new URL('../../../test/support/', import.meta.url);

describe('Connections', () => {
  let certificate: Certificate;
  let plain: ScriptedUpstream;
  let secure: ScriptedUpstream;
  let proxy: ConnectProxy;
  let client: UpstreamClient;

  beforeAll(() => {
    certificate = createCertificate();
  });

  afterAll(() => certificate.remove());

  beforeEach(async () => {
    plain = await ScriptedUpstream.start();
    plain.always(() => reply(200, {}, 'plain'));
    secure = await ScriptedUpstream.start({ tls: certificate });
    secure.always(() => [bytes('HTTP/1.1 100 Continue\r\n\r\n'), reply(200, {}, 'secure')]);
    proxy = await ConnectProxy.start();
    client = new UpstreamClient();
  });

  afterEach(async () => {
    await client.onApplicationShutdown();
    await Promise.all([plain.close(), secure.close(), proxy.close()]);
  });

  function through(settings: Proxies): UpstreamClient {
    client = new UpstreamClient(settings);
    return client;
  }

  /** The response for a child process with the test certificate in NODE_EXTRA_CA_CERTS. */
  async function trusted(url: string, settings: Proxies = {}, { certFile } = certificate): Promise<unknown> {
    const hooks = fileURLToPath(new URL('typescript.hooks.mjs', SUPPORT));
    const script = fileURLToPath(new URL('call-upstream.ts', SUPPORT));
    const environment = { ...process.env, NODE_OPTIONS: '', NODE_EXTRA_CA_CERTS: certFile };
    const { stdout } = await run(process.execPath, ['--import', hooks, script, url, JSON.stringify(settings)], {
      env: environment,
    });
    return JSON.parse(stdout);
  }

  describe('TLS', () => {
    it('fails with status 0 for an untrusted certificate', async () => {
      await expect(textOf(client.send(outbound(secure.url)))).rejects.toMatchObject({
        failure: { status: 0, certificateRefused: true },
        cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      });
      expect(secure.requests).toEqual([]);
    });

    it('fails with status 0 for an upstream without TLS', async () => {
      const garbled = await ScriptedUpstream.start();
      const request = outbound(garbled.url.replace('http:', 'https:'), { clocks: { connect: 5_000 } });
      const call = textOf(client.send(request));
      while (garbled.openConnections === 0) await delay(1);
      await garbled.close();
      await expect(call).rejects.toMatchObject({ failure: { status: 0 } });
    });

    it('trusts the certificates of NODE_EXTRA_CA_CERTS', async () => {
      expect(await trusted(secure.url)).toEqual({ text: 'secure' });
    });

    it('trusts them only for the names they contain', async () => {
      const other = createCertificate(['DNS:elsewhere.invalid']);
      const misnamed = await ScriptedUpstream.start({ tls: other });
      expect(await trusted(misnamed.url, {}, other)).toEqual({ status: 0, code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
      expect(misnamed.requests).toEqual([]);
      await misnamed.close();
      other.remove();
    });
  });

  describe('proxies', () => {
    it('sends plain HTTP through HTTP_PROXY', async () => {
      expect(await textOf(through({ httpProxy: proxy.url }).send(outbound(plain.url)))).toBe('plain');
      expect(proxy.seen).toEqual([`POST ${plain.url}/v1/chat/completions`]);
      expect(plain.requests).toMatchObject([{ body: '{"model":"m"}', headers: { 'accept-encoding': 'identity' } }]);
    });

    it('sends plain HTTP directly if only HTTPS_PROXY is set', async () => {
      expect(await textOf(through({ httpsProxy: proxy.url }).send(outbound(plain.url)))).toBe('plain');
      expect(proxy.seen).toEqual([]);
    });

    it('accepts a proxy address without a scheme', async () => {
      const address = proxy.url.slice('http://'.length);
      expect(await textOf(through({ httpProxy: address }).send(outbound(plain.url)))).toBe('plain');
      expect(proxy.seen).toHaveLength(1);
    });

    it.each(['127.0.0.1', 'example.com, 127.0.0.1', '*'])('calls a host of NO_PROXY directly (%s)', async (noProxy) => {
      expect(await textOf(through({ httpProxy: proxy.url, noProxy }).send(outbound(plain.url)))).toBe('plain');
      expect(proxy.seen).toEqual([]);
    });

    it('tunnels HTTPS through HTTPS_PROXY', async () => {
      expect(await trusted(secure.url, { httpsProxy: proxy.url })).toEqual({ text: 'secure' });
      expect(proxy.seen).toEqual([`CONNECT ${secure.url.slice('https://'.length)}`]);
    });

    it('fails with status 0 if the proxy cannot be reached', async () => {
      const sent = through({ httpProxy: 'http://127.0.0.1:1', httpsProxy: 'http://127.0.0.1:1' });
      for (const url of [plain.url, secure.url]) {
        await expect(textOf(sent.send(outbound(url)))).rejects.toMatchObject({
          failure: { status: 0 },
          cause: { code: 'ECONNREFUSED' },
        });
      }
    });

    it('aborts a tunnel that the proxy does not establish in time', async () => {
      const silent = await ConnectProxy.start({ silent: true });
      const request = outbound(secure.url, { clocks: { connect: 100 } });
      await expect(textOf(through({ httpsProxy: silent.url }).send(request))).rejects.toMatchObject({
        failure: { status: 504 },
      });
      await eventually(() => silent.openConnections === 0);
      await silent.close();
    });

    it('authenticates to a proxy, and keeps the password out of errors', async () => {
      const guarded = await ConnectProxy.start({ credentials: 'gateway:pass-word' });
      const address = guarded.url.replace('//', '//gateway:pass-word@');
      const refused = guarded.url.replace('//', '//gateway:wrong-word@');
      expect(await textOf(through({ httpProxy: address }).send(outbound(plain.url)))).toBe('plain');
      await client.onApplicationShutdown();
      expect(await trusted(secure.url, { httpsProxy: address })).toEqual({ text: 'secure' });
      for (const url of [plain.url, secure.url]) {
        const sent = through({ httpProxy: refused, httpsProxy: refused }).send(outbound(url));
        const error = (await textOf(sent).catch((reason: Error) => reason)) as Error;
        expect(error).toMatchObject({ failure: { status: 0 } });
        expect(`${error.stack} ${(error.cause as Error).stack}`).not.toContain('wrong-word');
        await client.onApplicationShutdown();
      }
      await guarded.close();
    });

    it.each(['http://user:secret@[', 'ftp://user:secret@127.0.0.1'])(
      'rejects %s immediately, without quoting it',
      (httpProxy) => {
        expect(() => new UpstreamClient({ httpProxy })).toThrow(/^The address of a proxy is not a valid proxy URL\.$/);
      },
    );
  });
});
