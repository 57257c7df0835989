import type { StatusTone } from '../kit/status-badge';
import { daysUntil } from '../kit/times';
import type { KeyView } from './keys-api';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** From this remaining time on, a key counts as expiring soon. */
const SOON_MS = 7 * DAY_MS;

export type KeyState = 'active' | 'expiring' | 'expired' | 'disabled' | 'revoked' | 'owner-disabled';

const TONES: Record<KeyState, StatusTone> = {
  active: 'good',
  expiring: 'waiting',
  expired: 'bad',
  disabled: 'neutral',
  revoked: 'bad',
  'owner-disabled': 'warn',
};

/** The state for people; an expiry that passes while the page is open counts immediately. */
export function stateOf({ status, expiresAt, owner }: KeyView, now: Date): KeyState {
  if (status === 'revoked' || status === 'disabled') return status;
  const left = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now.getTime();
  if (status === 'expired' || left <= 0) return 'expired';
  if (owner.disabled) return 'owner-disabled';
  return left < SOON_MS ? 'expiring' : 'active';
}

export function toneOf(state: KeyState): StatusTone {
  return TONES[state];
}

/** "Active", "Expires in 5 d" */
export function wordsFor(state: KeyState, { expiresAt }: KeyView, now: Date): string {
  switch (state) {
    case 'expiring':
      return `Expires in ${timeLeft(new Date(expiresAt ?? ''), now)}`;
    case 'owner-disabled':
      return 'Owner disabled';
    default:
      return state.charAt(0).toUpperCase() + state.slice(1);
  }
}

/** 5 d, 7 h, 12 min */
function timeLeft(until: Date, now: Date): string {
  const ms = until.getTime() - now.getTime();
  if (ms >= DAY_MS) return `${daysUntil(until, now)} d`;
  if (ms >= HOUR_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.max(1, Math.floor(ms / 60_000))} min`;
}

export const STATUS_FILTERS = [
  { value: 'current', label: 'All but revoked' },
  { value: 'active', label: 'Active' },
  { value: 'expiring', label: 'Expiring soon' },
  { value: 'expired', label: 'Expired' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'all', label: 'All' },
] as const;

export type StatusFilter = (typeof STATUS_FILTERS)[number]['value'];
