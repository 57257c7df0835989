/** An attempt that was abandoned because another one answered first or the client left has not failed. */
export function attemptKind(outcome: string): 'ok' | 'left' | 'error' {
  if (outcome === 'ok') return 'ok';
  return outcome === 'outrun' || outcome === 'aborted' ? 'left' : 'error';
}
