export type CallApi = 'chat.completions';

/**
 * The part of the server that a request is for: an API; `v1` for other paths of the public API, `console` for the
 * console's API, `probe` for health checks and metrics.
 */
export type Route = CallApi | 'models' | 'v1' | 'console' | 'probe' | 'other';

const BASE = /^\/(?:openai\/)?v1\//i;

/** The route of a path. Called once per request, when it arrives; later stages read `request.context.route`. */
export function routeOf(path: string): Route {
  if (path === '/v1/chat/completions') return 'chat.completions';
  const base = BASE.exec(path)?.[0];
  if (base === undefined) return privateRouteOf(path);
  const rest = path.slice(base.length).toLowerCase();
  if (/^chat\/completions\/?$/.test(rest)) return 'chat.completions';
  return /^models(\/|$)/.test(rest) ? 'models' : 'v1';
}

function privateRouteOf(path: string): Route {
  if (path.startsWith('/api/')) return 'console';
  return path.startsWith('/health/') || path === '/metrics' ? 'probe' : 'other';
}

export function isPublicApi(route: Route): boolean {
  return route === 'v1' || route === 'models' || isCallApi(route);
}

export function isCallApi(route: Route): route is CallApi {
  return route === 'chat.completions';
}
