import { SPECIAL_NAMES } from './hostile-values.js';
import type { Random } from './random.js';

/** The body is bytes, so it may be invalid JSON or UTF-8. */
export interface FuzzedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** A valid request of a route. */
export interface Route {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'];
const SEGMENTS = [
  '..',
  '.',
  '%00',
  '%ff',
  '%2e%2e',
  '%F0%9F',
  '%',
  '%zz',
  'null',
  '-1',
  '0',
  'a'.repeat(3000),
  ...SPECIAL_NAMES,
];
const QUERIES = [
  '%',
  'limit=-1',
  'limit=1e99',
  'limit[]=1',
  'from=%00',
  'to=9999999999999',
  'cursor=AAAA',
  'q=%E2%80%AE',
  'zone=Mars/Base',
];
const TEXTS = [
  '',
  '\0',
  '\ud800',
  '\u202e',
  '𝒳'.repeat(50),
  "';--",
  '%s%n',
  '{{7*7}}',
  '<img src=x>',
  ...SPECIAL_NAMES,
  '2026-13-45',
  '٣',
];
const NUMBERS = [-1, 0, 0.1, 1e308, -1e308, 2 ** 53, 2 ** 31, -(2 ** 63), 1e-320];
const HEADERS: readonly (readonly [string, string])[] = [
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br, gzip'],
  ['accept', 'application/xml'],
  ['accept-encoding', 'zstd;q=1'],
  ['expect', '100-continue'],
  ['range', 'bytes=0-1'],
  ['if-none-match', '*'],
  ['origin', 'null'],
  ['x-forwarded-for', '999.999.999.999'],
  ['x-request-id', 'a"b\\c'],
  ['traceparent', '00-zz-zz-01'],
  ['idempotency-key', '__proto__'],
  ['cookie', 'gateway_session=%00'],
  ['authorization', 'Basic AAAA'],
  ['stripe-signature', 't=,v1='],
];

/** A request with one to four faults. */
export function fuzzed(route: Route, headers: Record<string, string>, random: Random): FuzzedRequest {
  const request: FuzzedRequest = {
    method: route.method,
    path: route.path,
    headers: { ...headers, ...route.headers },
    body: route.body === undefined ? null : Buffer.from(JSON.stringify(route.body)),
  };
  if (request.body) request.headers['content-type'] = 'application/json';
  for (let faults = 1 + random.below(4); faults > 0; faults--) spoil(request, route, random);
  return request;
}

function spoil(request: FuzzedRequest, route: Route, random: Random): void {
  const place = random.next();
  if (place < 0.1) request.method = random.pick(METHODS);
  else if (place < 0.25) request.path = spoiltPath(request.path, random);
  else if (place < 0.4) {
    const [name, value] = random.pick(HEADERS);
    request.headers[name] = value;
  } else if (place < 0.85) {
    request.body = Buffer.from(JSON.stringify(spoiltValue(route.body ?? {}, random, 0)) ?? 'undefined');
    request.headers['content-type'] ??= 'application/json';
  } else if (request.body) request.body = spoiltBytes(request.body, random);
  if (request.method === 'GET' || request.method === 'HEAD') request.body = null;
}

function spoiltPath(path: string, random: Random): string {
  if (random.chance(0.4)) return `${path}${path.includes('?') ? '&' : '?'}${random.pick(QUERIES)}`;
  const segments = path.split('/');
  segments[1 + random.below(segments.length - 1)] = random.pick(SEGMENTS);
  return segments.join('/');
}

function spoiltBytes(body: Buffer, random: Random): Buffer {
  const copy = Buffer.from(body);
  const at = random.below(copy.length);
  if (random.chance(0.3)) return copy.subarray(0, at);
  if (random.chance(0.3)) return Buffer.concat([copy.subarray(0, at), copy]);
  copy[at] = random.below(256);
  return copy;
}

/** A copy with one inner value replaced, removed, duplicated or extended. */
function spoiltValue(value: unknown, random: Random, depth: number): unknown {
  const goesDeeper = depth < 6 && random.chance(0.7);
  if (goesDeeper && Array.isArray(value) && value.length > 0) {
    const at = random.below(value.length);
    return value.with(at, spoiltValue(value[at], random, depth + 1));
  }
  if (goesDeeper && typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    const key = random.pick(Object.keys(value));
    const inner = (value as Record<string, unknown>)[key];
    if (random.chance(0.1)) return { ...value, [key]: undefined };
    if (random.chance(0.15)) return { ...value, [random.pick([...SPECIAL_NAMES, ...TEXTS])]: inner };
    return { ...value, [key]: spoiltValue(inner, random, depth + 1) };
  }
  return strangeValue(random, depth);
}

function strangeValue(random: Random, depth: number): unknown {
  const kind = random.below(8);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind <= 3) return random.pick(NUMBERS);
  if (kind <= 5) return random.pick(TEXTS);
  if (kind === 6)
    return Array.from({ length: random.below(depth > 3 ? 3 : 30) }, () => strangeValue(random, depth + 1));
  const keys = Array.from({ length: random.below(depth > 3 ? 2 : 5) }, () => random.pick(TEXTS));
  return Object.fromEntries(keys.map((key) => [key, strangeValue(random, depth + 1)]));
}
