/** `AggregateError`s of a refused connection have no message of their own. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
