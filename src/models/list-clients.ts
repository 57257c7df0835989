import type { IncomingHttpHeaders } from 'node:http';

/** Only clients that take models from a list send these. */
const HEADERS = ['x-openai-client-user-agent', 'openai-organization', 'openai-project', 'x-title', 'http-referer'];

/** OpenAI's SDKs in any language, under whatever name stands in front; and libraries that speak OpenAI's format. */
const AGENTS = /OpenAI\/|^(?:litellm|Go-http-client|Java-http-client|okhttp|RooCode)\//;

/**
 * Whether a client is known to need OpenAI's list of models, and to break on a bare array. What cannot be told apart from
 * a plain client gets the array: for that there is `/openai/v1`.
 */
export function needsModelList(headers: IncomingHttpHeaders): boolean {
  if (AGENTS.test(headers['user-agent'] ?? '')) return true;
  if (HEADERS.some((name) => headers[name] !== undefined)) return true;
  return isAsyncOpenAi(headers) || Object.keys(headers).some((name) => name.startsWith('x-stainless-'));
}

/** async-openai, of Rust: it does not say who it is, and leaves out what nearly everybody sends. */
function isAsyncOpenAi(headers: IncomingHttpHeaders): boolean {
  const { accept, 'user-agent': agent, 'accept-encoding': coding } = headers;
  return agent === undefined && coding === undefined && accept === '*/*';
}
