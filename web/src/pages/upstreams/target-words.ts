import { formatPercent } from '../../kit/numbers';
import { formatClock } from '../../kit/times';
import type { CatalogModel } from './upstreams-api';

export type Target = CatalogModel['targets'][number];

const REASONS = {
  failing: 'it failed too often',
  limited: 'it asked to wait',
  refused: 'it refuses the credential',
};

type Aside = Pick<Target, 'asideReason' | 'asideUntil' | 'asideBy'>;

/**
 * "set aside until 12:03:20: it asked to wait", and which other process found that out; null if it is not set aside.
 */
export function asideText({ asideReason, asideUntil, asideBy }: Aside): string | null {
  if (!asideReason || !asideUntil) return null;
  const by = asideBy ? ` (seen by process ${asideBy.process} on ${asideBy.host})` : '';
  return `set aside until ${formatClock(new Date(asideUntil), 'local')}: ${REASONS[asideReason]}${by}`;
}

/** With several keys, each that is set aside while others are not: "key 2 set aside until 12:03:20: …". */
export function keysAsideText({ asideUntil, keys }: Target): string[] {
  if (asideUntil) return [];
  return keys.flatMap((key) => asideText(key)?.replace(/^/, `key ${key.name} `) ?? []);
}

/** "weight 3, 75 %": its share of the calls of its priority; null if it is the only one there. */
export function shareText(target: Target, targets: readonly Target[]): string | null {
  const company = targets.filter(({ priority }) => priority === target.priority);
  if (company.length < 2) return null;
  const available = company.filter(({ live, asideReason }) => live && !asideReason);
  const whole = available.reduce((sum, { weight }) => sum + weight, 0);
  const share = available.includes(target) ? target.weight / whole : 0;
  return `weight ${target.weight}, ${formatPercent(share)}`;
}

/** The models of an upstream that are set aside, each once, the one that returns last first. */
export function asideOf(upstream: string, models: readonly CatalogModel[]): Target[] {
  const aside = models.flatMap(({ targets }) =>
    targets.filter((target) => target.upstream === upstream && target.asideUntil),
  );
  const byModel = new Map(aside.map((target) => [target.model, target]));
  return [...byModel.values()].sort((a, b) => String(b.asideUntil).localeCompare(String(a.asideUntil)));
}
