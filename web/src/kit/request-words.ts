import type { components } from '../api/schema';

/** By the API's names of statuses. `unauthorized` requests are some of the refused ones. */
export const STATUS_LABELS: Record<string, string> = {
  open: 'Running',
  settled: 'Succeeded',
  failed: 'Failed',
  aborted: 'Aborted',
  interrupted: 'Interrupted',
  refused: 'Refused',
  unauthorized: 'Refused: invalid key (401)',
};

/** As in the ledger. */
export const API_LABELS: Record<string, string> = {
  'chat.completions': 'Chat Completions',
  responses: 'Responses',
  messages: 'Messages',
  embeddings: 'Embeddings',
  completions: 'Completions',
};

type GuardHit = components['schemas']['GuardHitView'];

/** What a guard did about what it found. `pass`: its service was away, and its settings say to let calls through. */
export const GUARD_ACTION_LABELS: Record<GuardHit['action'], string> = {
  block: 'Blocked',
  mask: 'Masked',
  report: 'Reported',
  pass: 'Let through',
};

type Call = components['schemas']['CallView'];

/** One request, or several with the same error. */
export interface RequestRow {
  /** The newest of them. */
  call: Call;
  count: number;
}

const ERRORS = ['failed', 'interrupted', 'refused'];

/** One row for all requests with the same error, model and key, and one for each other request. */
export function toRows(calls: readonly Call[]): RequestRow[] {
  const rows = new Map<string, RequestRow>();
  for (const call of calls) {
    const name = ERRORS.includes(call.status) ? errorOf(call) : call.id;
    const row = rows.get(name);
    if (row) row.count++;
    else rows.set(name, { call, count: 1 });
  }
  return [...rows.values()];
}

/** The numbers in a message, such as seconds to wait, differ between identical errors. */
function errorOf({ status, httpStatus, errorCode, message, model, keyId, keyDisplay }: Call): string {
  const what = message?.replaceAll(/\d+/g, '0');
  return JSON.stringify([status, httpStatus, errorCode, what, model, keyId ?? keyDisplay]);
}
