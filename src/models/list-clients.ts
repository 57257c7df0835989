import type { IncomingHttpHeaders } from 'node:http';

/** Only clients that read models from a list send these. */
const HEADERS = ['x-openai-client-user-agent', 'openai-organization', 'openai-project', 'x-title', 'http-referer'];

/** OpenAI's SDKs in any language, with any prefix in the name, and libraries for OpenAI's format. */
const AGENTS = /OpenAI\/|^(?:litellm|Go-http-client|Java-http-client|okhttp|RooCode)\//;

/**
 * Whether a client needs OpenAI's list of models and fails with a plain array. Clients that cannot be told from a plain
 * client get the array; they can use `/openai/v1`.
 */
export function needsModelList(headers: IncomingHttpHeaders): boolean {
  if (AGENTS.test(headers['user-agent'] ?? '')) return true;
  if (HEADERS.some((name) => headers[name] !== undefined)) return true;
  return isAsyncOpenAi(headers) || Object.keys(headers).some((name) => name.startsWith('x-stainless-'));
}

/** async-openai, of Rust: it does not identify itself, and lacks headers that nearly all others send. */
function isAsyncOpenAi(headers: IncomingHttpHeaders): boolean {
  const { accept, 'user-agent': agent, 'accept-encoding': coding } = headers;
  return agent === undefined && coding === undefined && accept === '*/*';
}
