import type { Json } from '../../snippets/literal';
import { REQUEST_SNIPPETS, type SnippetRequest } from '../../snippets/request-snippets';
import { SNIPPET_APIS, type SnippetApi } from '../../snippets/snippet-api';
import { type Code, type DocsValues, originOf } from './docs-values';
import { type ApiDocument, jsonBody, type Operation } from './document';
import { exampleBody, exampleOf } from './example-value';
import { COMPLETIONS, COUNT_TOKENS, EMBEDDINGS } from './more-apis';
import { readCode } from './read-code';

const [CHAT, RESPONSES, MESSAGES] = SNIPPET_APIS;

/** The APIs by the path of their calls. */
export const APIS: Readonly<Record<string, SnippetApi | undefined>> = {
  '/v1/chat/completions': CHAT,
  '/v1/responses': RESPONSES,
  '/v1/messages': MESSAGES,
  '/v1/messages/count_tokens': COUNT_TOKENS,
  '/v1/embeddings': EMBEDDINGS,
  '/v1/completions': COMPLETIONS,
};

/** A call in every language that people call it from. */
export function operationCode(operation: Operation, { components }: ApiDocument, values: DocsValues): Code[] {
  const body = jsonBody(operation);
  const example = body && exampleBody(body, components.schemas);
  const api = APIS[operation.path];
  if (api && example) return requestCode(api, example, values);
  return (
    readCode(operation, values) ?? [{ id: 'curl', name: 'curl', code: toCurl(operation, example, components, values) }]
  );
}

/** A request in the form of an API, to a model of the person. */
export function requestCode(api: SnippetApi, example: Json, values: DocsValues): Code[] {
  const model = api === EMBEDDINGS ? values.embeddingModel : values.model;
  const request: SnippetRequest = { ...(example as object), model };
  return REQUEST_SNIPPETS.map(({ id, name, toCode }) => ({
    id,
    name,
    code: toCode(values.baseUrl, request, undefined, api),
  }));
}

function toCurl(
  operation: Operation,
  body: Json | undefined,
  components: ApiDocument['components'],
  values: DocsValues,
) {
  const { method, path, security = [], parameters = [] } = operation;
  const query = parameters.filter((one) => one.in === 'query' && one.required);
  const pairs = query.map(({ name, schema = {} }) => [name, String(exampleOf(schema, components.schemas))]);
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  const address = originOf(values) + path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`) + search;
  const given = path.endsWith('/session') && body ? { email: values.email, password: '$PASSWORD' } : body;
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${address}"`,
    cookies(operation, security.length > 0),
    ...(given === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${bodyText(given)}`]),
  ];
  return `${variables(path)}${parts.filter(Boolean).join(' \\\n  ')}\n`;
}

/** Signing in writes the session's cookie to a file, which the other calls send. */
function cookies({ path, method }: Operation, needsSession: boolean): string {
  if (path === '/api/session' && method === 'post') return '-c cookies.txt';
  return needsSession || path === '/api/session' ? '-b cookies.txt' : '';
}

/** In double quotes if the shell has to fill in a variable. */
function bodyText(body: Json): string {
  const short = JSON.stringify(body);
  if (short.includes('$PASSWORD')) return `"${short.replaceAll('"', '\\"')}"`;
  const text = short.length <= 100 ? short : JSON.stringify(body, null, 2);
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function variables(path: string): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.map((name) => `# ${name.toUpperCase()} holds the ${name} in the address.\n`).join('');
}
