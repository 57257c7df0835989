/** A page's query string, as plain text values: what a page makes of them is its own matter. */
export type SearchParams = Record<string, string | undefined>;

export function parseSearch(query: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(query));
}

/** The query string for these values; what looks like a key never gets into an address. */
export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && !looksLikeKey(value) ? [[name, value]] : [],
  );
  const query = new URLSearchParams(entries).toString();
  return query === '' ? '' : `?${query}`;
}

export function looksLikeKey(text: string): boolean {
  return /svc_/i.test(text);
}
