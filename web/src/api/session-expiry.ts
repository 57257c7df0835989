type Waiting = (isSignedIn: boolean) => void;

let waiting: Waiting[] = [];
let onExpiry: (() => void) | undefined;

/** Tells who shows the dialog for signing in again; without one a 401 is an answer like any other. */
export function watchExpiry(listener: () => void): () => void {
  onExpiry = listener;
  return () => {
    if (onExpiry === listener) onExpiry = undefined;
    settleExpiry(false);
  };
}

/** True once the person has signed in again; false when that is given up, or when nobody was signed in. */
export function signedInAgain(): Promise<boolean> {
  if (!onExpiry) return Promise.resolve(false);
  return new Promise((resolve) => {
    waiting.push(resolve);
    onExpiry?.();
  });
}

/** Lets all who wait go on. */
export function settleExpiry(isSignedIn: boolean): void {
  const settled = waiting;
  waiting = [];
  for (const go of settled) go(isSignedIn);
}
