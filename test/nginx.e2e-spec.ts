import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stream } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { freePort } from './support/free-port.js';
import { schemaFaults } from './support/openai-schema.js';
import { findProgram } from './support/program.js';
import { gate } from './support/script.js';
import { createPassableFolder } from './support/test-settings.js';

const program = findProgram('nginx', 'TEST_NGINX');

/** deploy/nginx/gateway.conf with this machine's addresses in the place of docker-compose's. */
async function configFor(gatewayUrl: string, port: number, folder: string): Promise<string> {
  const shipped = await readFile('deploy/nginx/gateway.conf', 'utf8');
  return shipped
    .replaceAll('/tmp/', `${folder}/`)
    .replace(/server gateway(-\d)?:8080 resolve/g, `server ${new URL(gatewayUrl).host}`)
    .replace('listen 8000', `listen 127.0.0.1:${port}`);
}

(program ? describe : describe.skip)('behind the nginx of docker-compose', () => {
  let chat: ChatTest;
  let child: ChildProcess;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    chat = await ChatTest.start();
    folder = await createPassableFolder('gateway-nginx-');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    await writeFile(join(folder, 'nginx.conf'), await configFor(chat.gateway.url, port, folder));
    child = spawn(program ?? '', ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], { stdio: 'inherit' });
    await eventually(
      () =>
        fetch(`${url}/health/live`).then(
          ({ ok }) => ok,
          () => false,
        ),
      20_000,
    );
  });
  afterAll(async () => {
    if (child?.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (init: RequestInit = {}) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...chat.pro.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...QUESTION, stream: true }),
      ...init,
    });

  it('each piece of a stream reaches the client before the next one is sent', async () => {
    const second = Promise.withResolvers<void>();
    chat.upstream.enqueue(stream(['Hello', gate(second.promise), ' there!']));
    const reader = (await ask()).body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('Hello')) seen += (await reader?.read())?.value ?? '';
    expect(seen).not.toContain('there!');
    second.resolve();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) seen += part.value;
    expect(seen).toMatch(/there!.*\[DONE\]\n\n$/s);
  });

  it('the gateway notices immediately that a client disconnects, and aborts the upstream request', async () => {
    const requested = chat.upstream.requests.length;
    chat.upstream.enqueue(stream(['Hello', gate(new Promise(() => undefined))]));
    const leaving = new AbortController();
    const response = await ask({ signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await (await chat.upstream.received(requested + 1)).aborted;
    expect(await chat.row(response)).toMatchObject({ status: 'aborted' });
  });

  const errorOf = async (response: Response) => {
    expect(response.headers.get('content-type')).toBe('application/json');
    const body = (await response.json()) as { error: { code: string } };
    expect(schemaFaults('error', body)).toEqual([]);
    return [response.status, body.error.code];
  };

  it('a body that nginx refuses gets an error in JSON', async () => {
    expect(await errorOf(await ask({ body: Buffer.alloc(34 * 1024 ** 2, ' ') }))).toEqual([413, 'request_too_large']);
  });

  it('a gateway that breaks the connection gets an error in JSON, and the call is not repeated', async () => {
    const requested = chat.upstream.requests.length;
    const waiting = Promise.withResolvers<void>();
    chat.upstream.enqueue(stream([gate(waiting.promise), 'Hello']));
    const reply = ask({ body: JSON.stringify(QUESTION) });
    await chat.upstream.received(requested + 1);
    chat.gateway.server.closeAllConnections();
    expect(await errorOf(await reply)).toEqual([502, 'service_unavailable']);
    waiting.resolve();
    expect(chat.upstream.requests.length).toBe(requested + 1);
  });

  it('the metrics are not accessible', async () => {
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });
});
