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
