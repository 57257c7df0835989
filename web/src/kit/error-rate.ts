/** Failed requests out of those that failed or succeeded; null if there is none. */
export function errorRateOf({ succeeded, errors }: { succeeded: number; errors: number }): number | null {
  const ended = succeeded + errors;
  return ended > 0 ? errors / ended : null;
}
