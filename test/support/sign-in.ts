import { ConsoleClient } from './console-client.js';

/** The response to a wrong sign-in. */
export const WRONG = { status: 401, code: 'invalid_credentials', message: 'E-mail or password is wrong.' };

let networks = 0;

/** A browser with its own address, behind a trusted proxy. */
export function browserOf(
  gateway: { url: string },
  address = `198.51.${Math.floor(++networks / 250)}.${networks % 250}`,
): ConsoleClient {
  const client = ConsoleClient.of(gateway);
  client.headers['x-forwarded-for'] = address;
  return client;
}

export async function signIn(client: ConsoleClient, { email, password }: { email: string; password: string }) {
  const { status, headers, body } = await client.post('/api/session', { email, password });
  const { code, message } = body.error ?? {};
  return { status, code, message, retryAfter: headers.get('retry-after') };
}
