import { useMemo } from 'react';
import type { SearchParams } from '../../kit/search-params';
import { useAddressCheck, useUrlValues } from '../../kit/url-state';
import type { AuditFilter } from './audit-api';
import { TARGET_KINDS } from './audit-words';

export interface AuditControls {
  /** As in the address; days are in the local time zone. */
  values: SearchParams;
  /** In the format of the API. */
  filter: AuditFilter;
  isNarrowed: boolean;
  change: (values: SearchParams) => void;
  clear: () => void;
  /** Replaces all filters by this one. */
  narrowTo: (values: SearchParams) => void;
}

const NOTHING: SearchParams = {
  q: undefined,
  actor: undefined,
  action: undefined,
  target: undefined,
  from: undefined,
  to: undefined,
  entry: undefined,
};
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A kind, or one of it with its id. */
const TARGET = new RegExp(`^(?:${Object.keys(TARGET_KINDS).join('|')})(?::.*)?$`);

/** The filter of the page, from its address. */
export function useAuditSearch(): AuditControls {
  const [values, change] = useUrlValues();
  useAddressCheck(values, { from: DAY, to: DAY, target: TARGET });
  const filter = useMemo(() => toFilter(values), [values]);
  return {
    values,
    filter,
    isNarrowed: Object.keys(filter).length > 0,
    change,
    clear: () => change(NOTHING),
    narrowTo: (required) => change({ ...NOTHING, ...required }),
  };
}

/** The address in the gateway's format. */
export function toFilter({ q, actor, action, target, from, to }: SearchParams): AuditFilter {
  const given = { q, actor, action, target, from: startOf(from, 0), to: startOf(to, 1) };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
}

/** The start of a local day, plus a number of days; the last day of a range counts completely. */
function startOf(day: string | undefined, later: number): string | undefined {
  if (!day || !DAY.test(day)) return undefined;
  const at = new Date(`${day}T00:00:00`);
  if (Number.isNaN(at.getTime())) return undefined;
  at.setDate(at.getDate() + later);
  return at.toISOString();
}
