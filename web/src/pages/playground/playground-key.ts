import { api, unwrap } from '../../api/client';

/** A key is replaced when it has less than this to live. */
const SPARE_MS = 60_000;

let known: { key: string; expiresAt: number } | undefined;
let asking: Promise<string> | undefined;

/** The key that the playground calls /v1 with. It lives in this variable alone, for a quarter of an hour. */
export function playgroundKey(): Promise<string> {
  if (known && known.expiresAt - Date.now() > SPARE_MS) return Promise.resolve(known.key);
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

/** The gateway did not take it: the next call gets a new one. */
export function forgetPlaygroundKey(): void {
  known = undefined;
}

async function ask(): Promise<string> {
  const { key, expiresAt } = await unwrap(api.POST('/api/playground/key'));
  known = { key, expiresAt: Date.parse(expiresAt) };
  return key;
}
