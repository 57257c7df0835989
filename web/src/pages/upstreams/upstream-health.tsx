import { StatusBadge, type StatusTone } from '../../kit/status-badge';
import type { Upstream } from './upstreams-api';

interface Health {
  tone: StatusTone;
  text: string;
  /** The most urgent comes first. */
  rank: number;
}

const HEALTHS: Record<Upstream['health'], Health> = {
  failing: { tone: 'bad', text: 'Failing', rank: 0 },
  healthy: { tone: 'good', text: 'Healthy', rank: 1 },
  unused: { tone: 'neutral', text: 'Unused', rank: 2 },
  no_credential: { tone: 'warn', text: 'No credential', rank: 3 },
};

/** How an upstream has answered in the last 24 hours, or why it was not called. */
export function UpstreamHealth({ health }: { health: Upstream['health'] }) {
  const { tone, text } = HEALTHS[health];
  return <StatusBadge tone={tone}>{text}</StatusBadge>;
}

export function healthRank({ health }: Upstream): number {
  return HEALTHS[health].rank;
}
