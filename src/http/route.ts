import { type ErrorFormat, type ErrorReply, toAnthropicError, toOpenAiError } from './error-format.js';

/** The part of the server that a request is for. */
export interface Route {
  /** The name in metrics and logs, for example `chat.completions` or `models`. */
  readonly name: string;
  /** `api`: other paths of the public API; `console`: the console's API; `probe`: health checks and metrics. */
  readonly kind: 'call' | 'models' | 'api' | 'console' | 'probe' | 'other';
  readonly toErrorReply: ErrorFormat;
  /** The header, besides `x-request-id`, in which the API's clients look for a request's id. */
  readonly requestIdHeader?: 'request-id';
}

export interface ListedRoute extends Route {
  /** Matches the whole path. */
  readonly pattern: RegExp;
}

const MODELS = /^\/(?:openai\/)?v1\/models(?:\/|$)/i;
const API = /^\/(?:(?:openai\/)?v1|openai\/responses)\//i;

const route = (name: string, kind: Route['kind']): Route => ({ name, kind, toErrorReply: toOpenAiError });
const models: Route = { ...route('models', 'models'), toErrorReply: toClientsError };
const otherApi: Route = { ...route('other', 'api'), toErrorReply: toClientsError };
const consoleApi = route('console', 'console');
const probe = route('probe', 'probe');
export const otherRoute = route('other', 'other');

/** Anthropic's clients send the version of its API. */
function toClientsError(...[error, requestId, headers]: Parameters<ErrorFormat>): ErrorReply {
  const toReply = headers['anthropic-version'] === undefined ? toOpenAiError : toAnthropicError;
  return toReply(error, requestId, headers);
}

/** Finds the route of a path: once per request, when it arrives. */
export class Routes<Listed extends ListedRoute> {
  /** By exact path, as few clients vary the case of a path or end it with a slash. */
  private readonly exact = new Map<string, Listed>();

  /** The first matching route counts. */
  constructor(
    private readonly listed: readonly Listed[],
    usual: readonly string[] = [],
  ) {
    for (const path of usual) {
      const found = listed.find(({ pattern }) => pattern.test(path));
      if (found) this.exact.set(path, found);
    }
  }

  of(path: string): Listed | Route {
    return this.exact.get(path) ?? this.listed.find(({ pattern }) => pattern.test(path)) ?? builtIn(path);
  }
}

function builtIn(path: string): Route {
  if (path.startsWith('/api/') || path.startsWith('/scim/')) return consoleApi;
  if (path.startsWith('/health/') || path === '/metrics') return probe;
  if (MODELS.test(path)) return models;
  return API.test(path) ? otherApi : otherRoute;
}

/** The path of a request's target, without the query. Proxies may send it in absolute form. */
export function pathOf(url: string): string {
  if (!url.startsWith('/')) return URL.parse(url)?.pathname ?? url;
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
