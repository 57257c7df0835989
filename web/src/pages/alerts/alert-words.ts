import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components, paths } from '../../api/schema';
import type { StatusTone } from '../../kit/status-badge';
import { UUID } from '../../kit/url-state';

export type Alert = components['schemas']['AlertView'];
export type AlertWebhook = components['schemas']['AlertWebhookView'];

/** New alerts appear without a reload. */
const REFRESH_MS = 15_000;

export const ALERTS = ['alerts'] as const;

/** `kind`: one of `ALERT_KINDS`; `about`: a subject. Empty ones are not filtered by. */
export function alertsQuery(kind: string, about: string) {
  const filter = { ...(kind !== '' && { types: typesOf(kind) }), ...(about !== '' && { subject: about }) };
  return infiniteQueryOptions({
    queryKey: [...ALERTS, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      unwrap(api.GET('/api/alerts', { params: { query: { ...filter, ...(cursor && { cursor }) } }, signal })),
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });
}

export function sendTestAlert() {
  return unwrap(api.POST('/api/alerts/test'));
}

/** Kinds of alerts, for the filter. */
export const ALERT_KINDS = {
  budgets: 'Budgets',
  upstreams: 'Upstreams',
  ledger: 'Ledger',
  test: 'Test messages',
} as const;

type Kind = keyof typeof ALERT_KINDS;
type AlertType = NonNullable<NonNullable<paths['/api/alerts']['get']['parameters']['query']>['types']>[number];

const TYPES: Readonly<Record<AlertType, { title: string; kind: Kind }>> = {
  budget_80: { title: 'Budget 80 % spent', kind: 'budgets' },
  budget_100: { title: 'Budget used up', kind: 'budgets' },
  over_ceiling: { title: 'Cost above the reservation', kind: 'budgets' },
  target_aside: { title: 'Upstream paused after failures', kind: 'upstreams' },
  target_back: { title: 'Upstream works again', kind: 'upstreams' },
  credential_failing: { title: 'Credential not renewed', kind: 'upstreams' },
  credential_back: { title: 'Credential renewed again', kind: 'upstreams' },
  ledger_down: { title: 'Ledger not writable', kind: 'ledger' },
  ledger_back: { title: 'Ledger works again', kind: 'ledger' },
  test: { title: 'Test message', kind: 'test' },
};

function typesOf(kind: string): AlertType[] {
  return (Object.keys(TYPES) as AlertType[]).filter((type) => TYPES[type].kind === kind);
}

function known(type: string): { title: string; kind: Kind } | undefined {
  return (TYPES as Readonly<Record<string, { title: string; kind: Kind }>>)[type];
}

export function alertTitle(type: string): string {
  return known(type)?.title ?? type;
}

/** One alert, or several about the same upstream or ledger, which fails and works by turns. */
export interface AlertRow {
  /** The newest of them. */
  alert: Alert;
  /** The others, newest first. */
  earlier: Alert[];
}

/** With a longer pause, a failure is another one. */
const SAME_MS = 6 * 3_600_000;

/** One row for the alerts about the same upstream or ledger that follow each other, one for each other alert. */
export function toAlertRows(alerts: readonly Alert[]): AlertRow[] {
  const rows: AlertRow[] = [];
  const newest = new Map<string, AlertRow>();
  for (const alert of alerts) {
    const kind = known(alert.type)?.kind;
    const topic = `${kind} ${alert.subject}`;
    const row = kind === 'upstreams' || kind === 'ledger' ? newest.get(topic) : undefined;
    const last = row && (row.earlier.at(-1) ?? row.alert);
    if (row && last && Date.parse(last.at) - Date.parse(alert.at) <= SAME_MS) {
      row.earlier.push(alert);
    } else {
      const next = { alert, earlier: [] };
      rows.push(next);
      newest.set(topic, next);
    }
  }
  return rows;
}

/** The page of what an alert is about, as far as the console has one. */
export function placeOf({ type, subject }: Alert): { to: string; search?: Record<string, string> } | null {
  const kind = known(type)?.kind;
  if (kind === 'upstreams' || type === 'over_ceiling') return { to: '/upstreams', search: { upstream: subject } };
  if (kind !== 'budgets') return null;
  if (UUID.test(subject)) return { to: `/keys/${subject}` };
  return subject.includes('@')
    ? { to: '/users', search: { q: subject } }
    : { to: '/projects', search: { q: subject, scope: 'all' } };
}

export function deliveryState({ delivery, answerStatus }: Alert): { tone: StatusTone; text: string } {
  if (delivery === 'sent') return { tone: 'good', text: 'Sent' };
  if (delivery === 'not_sent') return { tone: 'neutral', text: 'Not sent' };
  if (delivery === 'waiting' && answerStatus === null) return { tone: 'waiting', text: 'Sending' };
  return delivery === 'waiting' ? { tone: 'warn', text: 'Trying again' } : { tone: 'bad', text: 'Not delivered' };
}

/** "HTTP 200: ok", "No response: connect ECONNREFUSED 127.0.0.1:9", "Not tried yet" */
export function answerText({ status, answer }: { status: number | null; answer: string | null }): string {
  if (answer === null) return 'Not tried yet';
  if (status === null) return `No response: ${answer}`;
  return answer === '' ? `HTTP ${status}` : `HTTP ${status}: ${answer}`;
}
