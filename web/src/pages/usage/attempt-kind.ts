/** One that was left, since another answered first or the client went, did not fail. */
export function attemptKind(outcome: string): 'ok' | 'left' | 'error' {
  if (outcome === 'ok') return 'ok';
  return outcome === 'outrun' || outcome === 'aborted' ? 'left' : 'error';
}
