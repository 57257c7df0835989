/** What is wrong with the gateway. */
export interface Trouble {
  /** New calls are refused. */
  isAway: boolean;
  text: string;
}

const RECOVERS = 'This page will recover.';

/** Null: nothing is wrong. */
export async function readStatus({ signal }: { signal: AbortSignal }): Promise<Trouble | null> {
  let response: Response;
  try {
    response = await fetch('/health/ready', { signal, cache: 'no-store' });
  } catch (error) {
    if (signal.aborted) throw error;
    return { isAway: true, text: `The gateway cannot be reached. ${RECOVERS}` };
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    return { isAway: true, text: `${body?.error?.message ?? 'The gateway is not ready.'} ${RECOVERS}` };
  }
  return body?.warning ? { isAway: false, text: body.warning } : null;
}
