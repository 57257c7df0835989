import type { Client } from 'openapi-fetch';
import { toApiError } from './api-error';
import { askOwner, OWNER_HEADER, pageOwner, whileOwned } from './page-owner';
import type { paths } from './schema';
import { recordSessionUse, signedInAgain } from './session-clock';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type Api = Pick<Client<paths>, (typeof METHODS)[number]>;

/**
 * The console's API, typed by its OpenAPI document: `unwrap(api.GET('/api/keys', { signal }))`. Only the types are those
 * of openapi-fetch: the console needs a small part of what it does.
 */
export const api = Object.fromEntries(
  METHODS.map((method) => [method, (path: string, call?: CallOptions) => send(method, path, call)]),
) as unknown as Api;

interface CallOptions {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> };
  body?: unknown;
  signal?: AbortSignal;
}

async function send(method: string, path: string, { params, body, signal }: CallOptions = {}): Promise<Result> {
  const url = new URL(toPath(path, params?.path), window.location.origin);
  for (const [name, value] of Object.entries(params?.query ?? {})) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) url.searchParams.append(name, `${one}`);
  }
  const request = new Request(url, {
    method,
    signal: signal ?? null,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const response = await fetchInSession(request);
  const text = await response.text();
  if (!response.ok) return { error: fromJson(text), response };
  return { data: text === '' ? undefined : JSON.parse(text), response };
}

function toPath(path: string, values: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(`${values[name]}`));
}

/** What a proxy writes may be no JSON. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A request whose session has ended waits until the person has signed in again, and is then repeated once. */
async function fetchInSession(request: Request): Promise<Response> {
  const owner = pageOwner();
  if (owner !== null) request.headers.set(OWNER_HEADER, owner);
  const again = request.clone();
  await whileOwned();
  const response = await fetch(request);
  if (response.status === 409 && (await hasCode(response, 'other_user'))) await askOwner();
  await whileOwned();
  // A wrong password is a 401, too.
  if (response.status !== 401 || !(await hasCode(response, 'not_signed_in'))) {
    recordSessionUse();
    return response;
  }
  return (await signedInAgain()) ? fetch(again) : response;
}

async function hasCode(response: Response, code: string): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return toApiError(response, body).code === code;
}

interface Result {
  data?: unknown;
  error?: unknown;
  response: Response;
}

type Data<R extends Result> = [NonNullable<R['data']>] extends [never] ? undefined : NonNullable<R['data']>;

/** The data of a call; throws an ApiError when the gateway refused it. */
export async function unwrap<R extends Result>(call: Promise<R>): Promise<Data<R>> {
  const { data, error, response } = await call;
  if (!response.ok) throw toApiError(response, error);
  return data as Data<R>;
}
