import { setImmediate } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { MadeRequest } from './requests/request-maker.js';
import type { BillingUpstream } from './upstream/billing-upstream.js';

/**
 * The result for a caller: `answered` completely; `left`: it disconnected; `refused` by its limits; `failed` with an
 * error of the gateway; `broken`: the connection ended without an error.
 */
export type Seen = 'answered' | 'left' | 'refused' | 'failed' | 'broken';

export interface Called {
  readonly seen: Seen;
  /** 0: no head was received. */
  readonly status: number;
  readonly code: string | null;
}

/** Each call has its own connection, so killing a gateway breaks no other calls. */
const agent = new Agent({ connections: null, pipelining: 0, headersTimeout: 120_000, bodyTimeout: 120_000 });

export async function call(url: string, key: string, made: MadeRequest, upstream: BillingUpstream): Promise<Called> {
  const disconnection = new AbortController();
  if (made.disconnection === 'progress') upstream.onProgress(made.id, () => disconnection.abort());
  if (made.disconnection === 'immediately') void setImmediate().then(() => disconnection.abort());
  let status = 0;
  try {
    const response = await request(`${url}/v1/chat/completions`, {
      method: 'POST',
      dispatcher: agent,
      signal: disconnection.signal,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: made.body,
    });
    status = response.statusCode;
    return judged(status, await response.body.text());
  } catch {
    return { seen: disconnection.signal.aborted ? 'left' : 'broken', status, code: null };
  } finally {
    upstream.forget(made.id);
  }
}

function judged(status: number, text: string): Called {
  const code = /"error":\{.*?"code":"?(\w+)/s.exec(text)?.[1] ?? null;
  const isWhole = text.endsWith('data: [DONE]\n\n') || (text.startsWith('{') && text.includes('"choices"'));
  if (status === 200 && isWhole) return { seen: 'answered', status, code: null };
  if (status === 429) return { seen: 'refused', status, code };
  return { seen: status === 200 && code === null ? 'broken' : 'failed', status, code };
}
