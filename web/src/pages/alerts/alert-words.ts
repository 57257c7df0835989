import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import type { StatusTone } from '../../kit/status-badge';

export type Alert = components['schemas']['AlertView'];
export type AlertWebhook = components['schemas']['AlertWebhookView'];

/** New alerts appear without a reload. */
const REFRESH_MS = 15_000;

export const alertsQuery = infiniteQueryOptions({
  queryKey: ['alerts'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam: cursor, signal }) =>
    unwrap(api.GET('/api/alerts', { params: { query: cursor === undefined ? {} : { cursor } }, signal })),
  getNextPageParam: ({ next }) => next ?? undefined,
  staleTime: 0,
  refetchInterval: REFRESH_MS,
});

export function sendTestAlert() {
  return unwrap(api.POST('/api/alerts/test'));
}

const TYPES: Readonly<Record<string, string>> = {
  budget_80: 'Budget 80 % spent',
  budget_100: 'Budget used up',
  target_aside: 'Target set aside',
  target_back: 'Target works again',
  credential_failing: 'Credential not renewed',
  credential_back: 'Credential renewed again',
  ledger_down: 'Ledger not writable',
  ledger_back: 'Ledger works again',
  over_ceiling: 'Cost above the reservation',
  test: 'Test message',
};

export function alertTitle(type: string): string {
  return TYPES[type] ?? type;
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
