import { api, unwrap } from '../../api/client';

/** A key with a shorter remaining life is replaced. */
const SPARE_MS = 60_000;

let known: { key: string; expiresAt: number } | undefined;
let asking: Promise<string> | undefined;

/** The playground's key for /v1. It exists only in this variable, for 15 minutes. */
export function playgroundKey(): Promise<string> {
  if (known && known.expiresAt - Date.now() > SPARE_MS) return Promise.resolve(known.key);
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

/** The gateway refused it: the next call gets a new one. */
export function forgetPlaygroundKey(): void {
  known = undefined;
}

async function ask(): Promise<string> {
  const { key, expiresAt } = await unwrap(api.POST('/api/playground/key'));
  known = { key, expiresAt: Date.parse(expiresAt) };
  return key;
}
