/** A page's query string as plain text values; each page interprets its own. */
export type SearchParams = Record<string, string | undefined>;

export function parseSearch(query: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(query));
}

/** The query string for these values; text that looks like an API key is never put into an address. */
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
