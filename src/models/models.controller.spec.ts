import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { needsModelList } from './models.controller.js';

const KEY = 'Bearer svc_x';

/**
 * The headers of `GET /v1/models` without `host`: recorded from these clients, and below from the source code of
 * others.
 */
const RECORDED: Record<'list' | 'array', Record<string, Record<string, string>>> = JSON.parse(
  readFileSync(`${import.meta.dirname}/fixtures/recorded-clients.json`, 'utf8'),
);

const LIST_CLIENTS: Record<string, Record<string, string>> = {
  'openai-python with a name in front': { accept: 'application/json', 'user-agent': 'my-app/1.0 OpenAI/Python 3.22.0' },
  'an OpenAI SDK of which a proxy left one header': { 'user-agent': 'proxy/1', 'x-stainless-lang': 'js' },
  'openai-python before 1.0': {
    'x-openai-client-user-agent': '{"bindings_version": "0.28.1", "lang": "python"}',
    'user-agent': 'OpenAI/v1 PythonBindings/0.28.1',
    accept: '*/*',
  },
  'a client of an organization': { 'user-agent': 'node', 'openai-organization': 'org-1', accept: '*/*' },
  'a client of a project': { 'user-agent': 'node', 'openai-project': 'proj_1', accept: '*/*' },
  LangChain4j: { 'user-agent': 'Java-http-client/21.0.5', authorization: KEY, 'content-type': 'application/json' },
  'a client on OkHttp': { authorization: KEY, 'accept-encoding': 'gzip', 'user-agent': 'okhttp/4.12.0' },
  'Roo Code': { 'user-agent': 'RooCode/3.30.0', accept: 'application/json', authorization: KEY },
  'a client with a title': { 'user-agent': 'python-httpx/0.28.1', 'X-Title': 'Open WebUI', accept: '*/*' },
  'a client with its page': { 'user-agent': 'axios/1.13.0', 'HTTP-Referer': 'https://example.com', accept: '*/*' },
  'async-openai': { accept: '*/*', authorization: KEY },
};

const PLAIN_CLIENTS: Record<string, Record<string, string>> = {
  HTTPie: { 'user-agent': 'HTTPie/3.2.2', 'accept-encoding': 'gzip, deflate', accept: '*/*', connection: 'keep-alive' },
  'a browser': {
    accept: '*/*',
    'user-agent': 'Mozilla/5.0',
    'accept-encoding': 'gzip',
    referer: 'https://example.com',
  },
  'a client that sends only its key': { authorization: KEY },
  'a client that asks for JSON': { accept: 'application/json', authorization: KEY },
  'a client that compresses': { accept: '*/*', 'accept-encoding': 'gzip', authorization: KEY },
  'a client with openai in its name': { 'user-agent': 'openai-tools/1.0', accept: '*/*' },
  'a client with okhttp behind its name': { 'user-agent': 'app/2 okhttp/4.12.0', accept: '*/*' },
};

/** In Node's form. */
function received(headers: Record<string, string>): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

describe('OpenAI’s list of models', () => {
  it.each(Object.entries({ ...RECORDED.list, ...LIST_CLIENTS }))('is sent to %s', (_client, headers) => {
    expect(needsModelList(received(headers))).toBe(true);
  });

  it.each(Object.entries({ ...RECORDED.array, ...PLAIN_CLIENTS }))('is not sent to %s', (_client, headers) => {
    expect(needsModelList(received(headers))).toBe(false);
  });
});
