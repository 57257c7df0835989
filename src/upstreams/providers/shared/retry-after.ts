import type { UpstreamHeaders } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';

/** The wait that an upstream requests, in ms: from `retry-after-ms`, `retry-after`, or the exhausted limit. */
export function retryAfterMs(headers: UpstreamHeaders): number | undefined {
  return milliseconds(headerOf(headers, 'retry-after-ms')) ?? retryAfter(headers) ?? limitReset(headers);
}

/** The wait in an error's message, in ms: `Please try again in 11.054s`. A stream has no headers for it. */
export function waitInMessage(message: string): number | undefined {
  return durationMs(/try again in (\d[\dhms.]{0,20}?)(?:[.\s]*$|\.? )/i.exec(message)?.[1]);
}

export function headerOf(headers: UpstreamHeaders, name: string): string | undefined {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.trim() || undefined;
}

function milliseconds(value: string | undefined, unit = 1): number | undefined {
  const number = value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(number) && number >= 0 ? Math.ceil(number * unit) : undefined;
}

/** Seconds, or a date, which is relative to the response's own `date`, as clocks may differ. */
function retryAfter(headers: UpstreamHeaders): number | undefined {
  const value = headerOf(headers, 'retry-after');
  const seconds = milliseconds(value, 1000);
  if (seconds !== undefined || value === undefined) return seconds;
  const wait = Date.parse(value) - Date.parse(headerOf(headers, 'date') ?? '');
  return Number.isFinite(wait) ? Math.max(wait, 0) : undefined;
}

/** The longest `x-ratelimit-reset-*` of the exhausted limits. */
function limitReset(headers: UpstreamHeaders): number | undefined {
  const resets = ['requests', 'tokens']
    .filter((limit) => headerOf(headers, `x-ratelimit-remaining-${limit}`) === '0')
    .flatMap((limit) => durationMs(headerOf(headers, `x-ratelimit-reset-${limit}`)) ?? []);
  return resets.length > 0 ? Math.max(...resets) : undefined;
}

const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** A duration in Go's format (`6m0s`, `1.5s`, `80ms`), or plain seconds. */
export function durationMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = milliseconds(value, 1000);
  if (seconds !== undefined) return seconds;
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(value)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of value.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)) {
    total += Number(amount) * (UNITS_MS[unit] ?? 0);
  }
  return Math.ceil(total);
}

/** Adds the provider's own limits to a 429. `prefix`: of the headers that the API's clients read. */
export function withLimitHeaders(error: UpstreamError, headers: UpstreamHeaders, prefix?: string): UpstreamError {
  if (error.failure.status !== 429) return error;
  const names = prefix === undefined ? [] : Object.keys(headers).filter((name) => name.startsWith(prefix));
  const limitHeaders = Object.fromEntries(names.map((name) => [name, headerOf(headers, name) ?? '']));
  return new UpstreamError({ ...error.failure, limitHeaders }, { cause: error.cause });
}
