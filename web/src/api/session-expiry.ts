type Waiting = (isSignedIn: boolean) => void;

let waiting: Waiting[] = [];
let onExpiry: (() => void) | undefined;

/** Registers the dialog for signing in again; without it a 401 is an ordinary response. */
export function watchExpiry(listener: () => void): () => void {
  onExpiry = listener;
  return () => {
    if (onExpiry === listener) onExpiry = undefined;
    settleExpiry(false);
  };
}

/** True after the person has signed in again; false if they cancelled or were not signed in. */
export function signedInAgain(): Promise<boolean> {
  if (!onExpiry) return Promise.resolve(false);
  return new Promise((resolve) => {
    waiting.push(resolve);
    onExpiry?.();
  });
}

/** Releases all waiting requests. */
export function settleExpiry(isSignedIn: boolean): void {
  const settled = waiting;
  waiting = [];
  for (const go of settled) go(isSignedIn);
}
