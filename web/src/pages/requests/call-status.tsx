import { STATUS_LABELS } from '../../kit/request-words';
import { StatusBadge, type StatusTone } from '../../kit/status-badge';

const TONES: Record<string, StatusTone> = {
  open: 'waiting',
  settled: 'good',
  failed: 'bad',
  aborted: 'neutral',
  interrupted: 'warn',
  refused: 'warn',
};

/** The status of a request in words. */
export function CallStatus({ status }: { status: string }) {
  return <StatusBadge tone={TONES[status] ?? 'neutral'}>{STATUS_LABELS[status] ?? status}</StatusBadge>;
}
