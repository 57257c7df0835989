/** What is wrong with the gateway. */
export interface Trouble {
  /** New calls are refused. */
  isDown: boolean;
  text: string;
}

/** A gateway that does not answer by then cannot be reached. */
const TIMEOUT_MS = 2500;

const RECOVERS = 'This page will recover.';

/** Null: nothing is wrong. */
export async function readStatus({ signal }: { signal: AbortSignal }): Promise<Trouble | null> {
  let response: Response;
  try {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch('/health/ready', { signal: AbortSignal.any([signal, timeout]), cache: 'no-store' });
  } catch (error) {
    if (signal.aborted) throw error;
    return { isDown: true, text: `The gateway cannot be reached. ${RECOVERS}` };
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    return { isDown: true, text: `${body?.error?.message ?? 'The gateway is not ready.'} ${RECOVERS}` };
  }
  return body?.warning ? { isDown: false, text: body.warning } : null;
}
