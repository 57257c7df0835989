import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REQUEST_SNIPPETS, type RequestSnippet, type SnippetRequest } from './request-snippets';
import { SNIPPET_APIS } from './snippet-api';

const run = promisify(execFile);

/** Everything that a language could escape wrongly. */
const REQUEST: SnippetRequest = {
  model: 'meta/llama-4:free',
  messages: [
    {
      role: 'system',
      content: `It's "quoted", \\back\\slashed, $HOME \`and\` %d; äöü 😀\nsecond line\t${'long '.repeat(30)}`,
    },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } }] },
    { role: 'assistant', content: null, tool_calls: [] },
  ],
  temperature: 0.5,
  stop: ["it's", '\\"'],
  tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: { 'odd-name': {}, type: 'object' } } }],
};

let server: Server;
let url: string;
let received: { authorization: string | undefined; body: unknown };
let path: string | undefined;
let key: unknown;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as { stream?: boolean };
    received = { authorization: request.headers.authorization, body };
    path = request.url;
    key = request.headers['x-api-key'] ?? request.headers.authorization?.replace('Bearer ', '');
    const choice = body.stream ? { delta: { content: 'Hello' } } : { message: { content: 'Hello' } };
    const answer = JSON.stringify({ choices: [choice] });
    response.setHeader('content-type', body.stream ? 'text/event-stream' : 'application/json');
    response.end(body.stream ? `data: ${answer}\n\ndata: [DONE]\n\n` : answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.close();
});

function snippet(id: RequestSnippet['id']): RequestSnippet {
  const found = REQUEST_SNIPPETS.find((one) => one.id === id);
  if (!found) throw new Error(`there is no snippet ${id}`);
  return found;
}

const env = { ...process.env, OPENAI_API_KEY: 'svc_test', NODE_OPTIONS: '' };

const runs: Record<'curl' | 'node', (code: string) => Promise<string>> = {
  curl: async (code) => (await run('bash', ['-c', code], { env })).stdout,
  node: async (code) => {
    const file = join(import.meta.dirname, `.snippet-${process.pid}.mjs`);
    await writeFile(file, code);
    return (await run(process.execPath, [file], { env }).finally(() => rm(file))).stdout;
  },
};

describe.each(['curl', 'node'] as const)('the program for %s', (id) => {
  it.each([
    ['whole', REQUEST],
    ['streamed', { ...REQUEST, stream: true, stream_options: { include_usage: true } }],
  ])('sends the request exactly, with the key of the environment, and prints the answer: %s', async (_, request) => {
    const printed = await runs[id](snippet(id).toCode(url, request));
    expect(received).toEqual({ authorization: 'Bearer svc_test', body: request });
    expect(printed).toContain('Hello');
  });
});

describe('a program for another API', () => {
  it.each(['curl', 'node'] as const)('sends its request to its path, with its key: %s', async (id) => {
    const request = { model: 'm', input: 'Hello!' };
    const [, responses, messages] = SNIPPET_APIS;
    await runs[id](snippet(id).toCode(url, request, 'svc_given', responses)).catch(() => undefined);
    expect({ path, ...received }).toEqual({ path: '/v1/responses', authorization: 'Bearer svc_given', body: request });
    const message = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello!' }] };
    await runs[id](snippet(id).toCode(url, message, 'svc_given', messages)).catch(() => undefined);
    expect({ path, key, body: received.body }).toEqual({ path: '/v1/messages', key: 'svc_given', body: message });
  });
});

describe('a program with a given key', () => {
  it.each(['curl', 'node'] as const)('sends it: %s', async (id) => {
    const hello = { model: 'm', messages: [{ role: 'user', content: 'Hello!' }] };
    await runs[id](snippet(id).toCode(url, hello, 'svc_given'));
    expect(received).toEqual({ authorization: 'Bearer svc_given', body: hello });
  });
});

describe('the program for Python', () => {
  it('writes values in Python’s syntax', () => {
    const code = snippet('python').toCode(url, { model: 'm', stream: true, user: null, tools: [{ strict: false }] });
    expect(code).toContain('    model="m",\n    stream=True,\n    user=None,\n    tools=[{"strict": False}],\n)');
    expect(code).toContain('api_key=os.environ["OPENAI_API_KEY"]');
  });
});
