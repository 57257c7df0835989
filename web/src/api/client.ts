import createClient from 'openapi-fetch';
import { toApiError } from './api-error';
import { askOwner, OWNER_HEADER, pageOwner, whileOwned } from './page-owner';
import type { paths } from './schema';
import { recordSessionUse, signedInAgain } from './session-clock';

/** The console's API, typed by its OpenAPI document: `unwrap(api.GET('/api/keys', { signal }))`. */
export const api = createClient<paths>({ fetch: fetchInSession });

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

/** The first page of a list has as many rows as a window, the next ones as many as the API allows. */
export const NEXT_PAGE = 200;

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

const FILE_NAME = /filename="?([^";]+)"?/;

/** Saves an export as a file; throws an ApiError when the gateway refused it, and a TypeError when it broke off. */
export async function downloadFile(address: string): Promise<void> {
  const response = await fetchInSession(new Request(new URL(address, window.location.href)));
  if (!response.ok) throw toApiError(response, await response.json().catch(() => null));
  const file = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = file;
  link.download = FILE_NAME.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export';
  link.click();
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}
