import type { ModelView } from '../api/lists';
import type { components } from '../api/schema';
import { plural } from './numbers';

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

/** Error codes of `/v1` and outcomes of attempts, as they stand within a sentence. */
const CODE_WORDS: Readonly<Record<string, string>> = {
  ok: 'OK',
  outrun: 'another provider was faster',
  aborted: 'the client left',
  client_closed: 'the client left',
  interrupted: 'the gateway ended',
  undelivered: 'not delivered to the client',
  invalid_json: 'invalid JSON',
  invalid_request: 'incomplete request',
  invalid_request_error: 'invalid request',
  invalid_type: 'field of the wrong type',
  missing_required_parameter: 'missing field',
  invalid_value: 'value not allowed',
  unsupported_value: 'not supported by the model',
  unsupported_parameter: 'field not supported',
  model_not_supported: 'wrong kind of model',
  context_length_exceeded: 'too long for the model',
  content_blocked: 'blocked by a guard',
  content_filter: 'refused by the provider’s content filter',
  invalid_encrypted_content: 'encrypted content is not valid',
  invalid_api_key: 'invalid key',
  insufficient_permissions: 'account disabled',
  ip_not_allowed: 'address not allowed',
  model_not_found: 'model not available',
  unknown_url: 'unknown address',
  method_not_supported: 'method not supported',
  idempotency_in_progress: 'repeated while it was running',
  idempotency_answer_not_kept: 'answer no longer stored',
  idempotency_key_reused: 'idempotency key used twice',
  request_too_large: 'request too large',
  uri_too_long: 'address too long',
  unsupported_media_type: 'not JSON',
  websocket_not_supported: 'WebSocket not supported',
  rate_limit_exceeded: 'limit reached',
  insufficient_quota: 'budget used up',
  upstream_rate_limited: 'the provider’s limit is reached',
  headers_too_large: 'headers too large',
  internal_error: 'error in the gateway',
  server_error: 'error at the provider',
  upstream_error: 'error at the provider',
  upstream_unreachable: 'provider not reachable',
  upstream_unavailable: 'provider not available',
  upstream_overloaded: 'provider overloaded',
  upstream_incomplete: 'answer ended early',
  upstream_cut: 'answer ended early',
  upstream_timeout: 'provider too slow',
  guard_unavailable: 'guard not available',
  overloaded: 'overloaded',
  service_unavailable: 'gateway not available',
};

/** An error code or the outcome of an attempt in words; one without its own words, with spaces. */
export function codeWords(code: string): string {
  return CODE_WORDS[code] ?? code.replaceAll('_', ' ');
}

/** For a label: "Provider too slow". */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface Cause {
  /** The provider that failed, if the request reached one. */
  upstream?: string | null;
  /** The HTTP status. */
  status: number | null;
  code: string | null;
}

/** "provider too slow (mistral 504)", for administrators "provider too slow (mistral 504 upstream_timeout)"; empty if nothing is known. */
export function causeText({ upstream = null, status, code }: Cause, showsCode: boolean): string {
  const detail = [upstream, status || null, showsCode ? code : null].filter((part) => part !== null).join(' ');
  if (code === null) return detail;
  return detail === '' ? codeWords(code) : `${codeWords(code)} (${detail})`;
}

/** "Failed: provider too slow (mistral 504)" */
export function outcomeText(status: string, cause: Cause, showsCode: boolean): string {
  const what = STATUS_LABELS[status] ?? status;
  const why = causeText(cause, showsCode);
  return why === '' ? what : `${what}: ${why}`;
}

/** Why an answer ended, by its `finish_reason` in the ledger. */
const ENDINGS: Readonly<Record<string, string>> = {
  stop: 'complete',
  length: 'cut at the token limit',
  content_filter: 'stopped by a content filter',
  tool_calls: 'ended with tool calls',
  function_call: 'ended with a function call',
};

export function endingText(finishReason: string): string {
  return ENDINGS[finishReason] ?? finishReason.replaceAll('_', ' ');
}

/** "Web search", "Code interpreter" */
export function toolWords(tool: string): string {
  return capital(tool.replaceAll('_', ' '));
}

type GuardHit = components['schemas']['GuardHitView'];

/** What a guard did about what it found. `pass`: its service was away, and its settings say to let calls through. */
export const GUARD_ACTION_LABELS: Record<GuardHit['action'], string> = {
  block: 'Blocked',
  mask: 'Masked',
  report: 'Reported',
  pass: 'Let through',
};

/** The label of a user: the e-mail address, or the name if there is none, as for service accounts of a project. */
export function userLabel({ email, name }: { readonly email: string | null; readonly name: string }): string {
  return email ?? name;
}

/**
 * The chat model to suggest, on all pages: one that works before others, then the cheapest; the gateway ranks them. None that
 * is failing.
 */
export function defaultModel(models: readonly ModelView[]): ModelView | undefined {
  return models
    .filter(({ callable, kind, health }) => callable && kind === 'chat' && health.status !== 'failing')
    .toSorted((a, b) => a.suggestionRank - b.suggestionRank)[0];
}

export type Health = components['schemas']['ModelHealthView'];

/** "3 of the last 20 calls within 24 hours failed." */
export function healthText({ status, calls, failures, targets, asideTargets }: Health): string {
  if (status === 'simulated') {
    return 'Answered by the built-in simulator, at no cost: no provider is connected for it.';
  }
  const aside = asideText(targets, asideTargets);
  if (calls === 0) return `No calls in the last 24 hours.${aside}`;
  if (calls === 1) return `The last call ${failures === 0 ? 'succeeded' : 'failed'}, within 24 hours.${aside}`;
  return `${failures === 0 ? 'None' : failures} of the last ${calls} calls within 24 hours failed.${aside}`;
}

function asideText(targets: number, aside: number): string {
  if (aside === 0) return '';
  if (targets === 1) return ' Its provider is paused after failures.';
  return ` ${aside} of its ${targets} providers ${aside === 1 ? 'is' : 'are'} paused after failures.`;
}

export const NO_PRICE = 'No price: its calls count as $0';

export function unpricedText(calls: number): string {
  return calls === 1
    ? '1 call of a model without a price is not part of this cost, and no budget covers it.'
    : `${plural(calls, 'call')} of models without a price are not part of this cost, and no budget covers them.`;
}
