import { useLocalStorage } from '@mantine/hooks';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { mayAll, useSession } from '../api/session';
import { looksLikeKey, type SearchParams } from './search-params';

let isForgotten = false;

/** Data of this tab that survives a reload; other tabs and browsers do not see it. */
export function readTab(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Where a request from the log waits for the playground. */
export const PLAYGROUND_REQUEST = 'playground-request';

/** False if the storage is full, or the browser forbids it. */
export function writeTab(name: string, value: string | null): boolean {
  if (isForgotten) return false;
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Clears it permanently: later writes, while the page closes, are not stored either. */
export function forgetTab(): void {
  isForgotten = true;
  try {
    sessionStorage.clear();
  } catch {
    // A browser that forbids storage has nothing to clear.
  }
}

/** Values of the address that the page cannot use, by their name. */
let addressFaults: SearchParams = {};
const listeners = new Set<() => void>();

function setAddressFault(name: string, value: string | undefined): void {
  if (addressFaults[name] === value) return;
  const { [name]: _, ...others } = addressFaults;
  addressFaults = value === undefined ? others : { ...others, [name]: value };
  for (const listener of listeners) listener();
}

/** For the frame of the page, which shows them. */
export function useAddressFaults(): SearchParams {
  const subscribe = useCallback((listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return useSyncExternalStore(subscribe, () => addressFaults);
}

/** What a value may be. */
type Rule = readonly string[] | RegExp;

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function isAllowed(rule: Rule, value: string): boolean {
  return rule instanceof RegExp ? rule.test(value) : rule.includes(value);
}

/** Tells the person about values of the address that the page ignores. A value may be a list: `failed,refused`. */
export function useAddressCheck(values: SearchParams, rules: Readonly<Record<string, Rule>>): void {
  const faults = Object.entries(rules)
    .filter(([name, rule]) => values[name]?.split(',').some((one) => one !== '' && !isAllowed(rule, one)))
    .map(([name]) => [name, values[name]]);
  const text = JSON.stringify(faults);
  useEffect(() => {
    const found = JSON.parse(text) as [string, string][];
    for (const [name, value] of found) setAddressFault(name, value);
    return () => {
      for (const [name] of found) setAddressFault(name, undefined);
    };
  }, [text]);
}

/** The same for the id of something that the page has not found. */
export function useIdCheck(name: string, id: string | null, isFound: boolean): void {
  useAddressCheck({ [name]: id ?? undefined }, { [name]: isFound ? /./ : [] });
}

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
  useAddressCheck(values, oneOf ? { [name]: [fallback, ...oneOf] } : NO_RULES);
  const value = found !== undefined && (!oneOf || oneOf.includes(found)) ? found : fallback;
  const set = useCallback(
    (next: T) => setValues({ [name]: next === fallback ? undefined : next }),
    [setValues, name, fallback],
  );
  return [value, set];
}

const NO_RULES = {};

/** Several values of the query string, changed together; `undefined` removes one. */
export function useUrlValues(push = false): [SearchParams, (changes: SearchParams) => void] {
  const values: SearchParams = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: SearchParams) => {
      const stored = Object.entries(changes).map(([name, value]) => [
        name,
        value && looksLikeKey(value) ? undefined : value,
      ]);
      void navigate({
        to: '.',
        search: (previous: SearchParams) => ({ ...previous, ...Object.fromEntries(stored) }),
        replace: !push,
        resetScroll: false,
      });
    },
    [navigate, push],
  );
  return [values, change];
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The name of the drawer that this history entry opened. */
    opened?: string;
  }
}

/** The content of a drawer as an entry of the browser's history: Back closes it, and closing it removes the entry. */
export function useUrlDrawer(
  name: string,
): [id: string | null, open: (id: string) => void, close: () => void, change: (id: string) => void] {
  const values: SearchParams = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const open = useCallback(
    (id: string) => {
      void navigate({
        to: '.',
        search: (previous: SearchParams) => ({ ...previous, [name]: id }),
        state: { opened: name },
        resetScroll: false,
      });
    },
    [navigate, name],
  );
  const close = useCallback(() => {
    if (router.state.location.state.opened === name) return router.history.back();
    void navigate({
      to: '.',
      search: (previous: SearchParams) => ({ ...previous, [name]: undefined }),
      replace: true,
      resetScroll: false,
    });
  }, [navigate, router, name]);
  /** Shows another content in the open drawer. */
  const change = useCallback(
    (id: string) => {
      void navigate({
        to: '.',
        search: (previous: SearchParams) => ({ ...previous, [name]: id }),
        state: ({ opened }) => ({ opened }),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate, name],
  );
  return [values[name] ?? null, open, close, change];
}

const SCOPES = ['mine', 'projects', 'all'] as const;
/** The person's own, those of the person's projects, or everyone's. */
export type Scope = (typeof SCOPES)[number];

/** Whose keys and projects the pages show: only administrators see those of others. */
export function useScope(): Exclude<Scope, 'projects'> {
  return useUsageScope().scope === 'all' ? 'all' : 'mine';
}

interface UsageScope {
  scope: Scope;
  /** What the person can choose from. */
  scopes: Scope[];
  choose: (scope: Scope) => void;
}

/**
 * Whose requests, usage and budgets the pages show: from the address, otherwise the last choice on any page. Without one,
 * administrators see everyone's usage and budgets, and managers those of their projects, as they account for them.
 */
export function useUsageScope(of: 'requests' | 'usage' | 'budgets' = 'requests'): UsageScope {
  const session = useSession();
  const { projectRole } = session;
  const [{ scope: required }, setValues] = useUrlValues();
  const [remembered, remember] = useLocalStorage<Scope | ''>({
    key: 'console-scope',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const choose = (scope: Scope) => {
    remember(scope);
    // The filter for a user must not apply when the requests of others are no longer shown.
    setValues({ scope, ...(scope === 'mine' && { users: undefined }) });
  };
  const isAdmin = mayAll(session, 'usage.read');
  const scopes = SCOPES.filter((one) => one === 'mine' || (one === 'all' ? isAdmin : projectRole !== null));
  const ofOthers = isAdmin ? of !== 'requests' && 'all' : projectRole === 'manager' && 'projects';
  const usual = ofOthers || 'mine';
  useAddressCheck({ scope: required }, { scope: scopes });
  const scope = scopes.find((one) => one === required) ?? scopes.find((one) => one === remembered) ?? usual;
  return { scope, scopes, choose };
}
