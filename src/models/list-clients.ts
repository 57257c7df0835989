import type { IncomingHttpHeaders } from 'node:http';

/** Headers that only clients expecting OpenAI's list object send. */
const HEADERS = ['x-openai-client-user-agent', 'openai-organization', 'openai-project', 'x-title', 'http-referer'];

/** OpenAI's SDKs in all languages, and other libraries that speak OpenAI's format. */
const AGENTS = /OpenAI\/|^(?:litellm|Go-http-client|Java-http-client|okhttp|RooCode)\//;

/**
 * Whether a client is known to need OpenAI's list object and to fail on a plain array. Unknown clients get the array;
 * `/openai/v1` always serves the list.
 */
export function needsModelList(headers: IncomingHttpHeaders): boolean {
  if (AGENTS.test(headers['user-agent'] ?? '')) return true;
  if (HEADERS.some((name) => headers[name] !== undefined)) return true;
  return isAsyncOpenAi(headers) || Object.keys(headers).some((name) => name.startsWith('x-stainless-'));
}

/** async-openai (Rust) sends no user agent and no accept-encoding, unlike nearly all other clients. */
function isAsyncOpenAi(headers: IncomingHttpHeaders): boolean {
  const { accept, 'user-agent': agent, 'accept-encoding': coding } = headers;
  return agent === undefined && coding === undefined && accept === '*/*';
}
