import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
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

const REPEATED_AFTER_MS = 500;

/** Each call has its own connection, so killing a gateway breaks no other calls. */
const agent = new Agent({ connections: null, pipelining: 0, headersTimeout: 120_000, bodyTimeout: 120_000 });

export async function call(url: string, key: string, made: MadeRequest, upstream: BillingUpstream): Promise<Called> {
  const disconnection = new AbortController();
  if (made.disconnection === 'progress') upstream.onProgress(made.id, () => disconnection.abort());
  if (made.disconnection === 'immediately') void setImmediate().then(() => disconnection.abort());
  let status = 0;
  try {
    for (;;) {
      const response = await post(`${url}${made.path}`, key, made.body, disconnection.signal);
      status = response.statusCode;
      const text = await response.body.text();
      if (!isShed(response)) return judged(status, text);
      await sleep(REPEATED_AFTER_MS, undefined, { signal: disconnection.signal });
    }
  } catch {
    return { seen: disconnection.signal.aborted ? 'left' : 'broken', status, code: null };
  } finally {
    upstream.forget(made.id);
  }
}

function post(url: string, key: string, body: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  return request(url, {
    method: 'POST',
    dispatcher: agent,
    signal,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body,
  });
}

/** Whether a busy gateway refused the call before any attempt; clients repeat such calls. */
function isShed({ statusCode, headers }: Dispatcher.ResponseData): boolean {
  return (statusCode === 503 || statusCode === 529) && Number(headers['x-gateway-attempts'] ?? 0) === 0;
}

const WHOLE = /"choices"|"type":"message"|"status":"completed"|"object":"list"/;
const ENDED = /data: \[DONE\]\n\n$|"type":"message_stop"|"type":"response.completed"/;

function judged(status: number, text: string): Called {
  const code = /"error":\{.*?"code":"?(\w+)/s.exec(text)?.[1] ?? null;
  const isWhole = text.startsWith('{') ? WHOLE.test(text) : ENDED.test(text);
  if (status === 200 && isWhole) return { seen: 'answered', status, code: null };
  if (status === 429) return { seen: 'refused', status, code };
  return { seen: status === 200 && code === null ? 'broken' : 'failed', status, code };
}
