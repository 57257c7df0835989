import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { looksLikeKey, type SearchParams } from './search-params';

interface UrlStateOptions<T extends string> {
  /** The valid values; any other in the address means the default. */
  oneOf?: readonly T[];
  /** Whether the browser's Back button returns to the previous value. */
  push?: boolean;
}

/**
 * A text in the page's query string, so that links keep it. The default is not written, and neither is text that looks
 * like an API key.
 */
export function useUrlState<T extends string = string>(
  name: string,
  fallback: NoInfer<T>,
  { oneOf, push = false }: UrlStateOptions<T> = {},
): [T, (value: T) => void] {
  const [values, setValues] = useUrlValues(push);
  const found = values[name] as T | undefined;
  const value = found !== undefined && (!oneOf || oneOf.includes(found)) ? found : fallback;
  const set = useCallback(
    (next: T) => setValues({ [name]: next === fallback ? undefined : next }),
    [setValues, name, fallback],
  );
  return [value, set];
}

/** Several values of the query string, changed together; `undefined` removes one. */
export function useUrlValues(push = false): [SearchParams, (changes: SearchParams) => void] {
  const values: SearchParams = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: SearchParams) => {
      const kept = Object.entries(changes).map(([name, value]) => [
        name,
        value && looksLikeKey(value) ? undefined : value,
      ]);
      void navigate({
        to: '.',
        search: (previous: SearchParams) => ({ ...previous, ...Object.fromEntries(kept) }),
        replace: !push,
        resetScroll: false,
      });
    },
    [navigate, push],
  );
  return [values, change];
}
