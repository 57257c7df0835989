import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import type { TargetHealth } from '../../upstreams/health/target-health.types.js';
import type { ModelTargetView } from './dto/upstream-view.dto.js';

type Aside = Pick<ModelTargetView, 'asideReason' | 'asideUntil' | 'asideBy'>;

const NOT_ASIDE: Aside = { asideReason: null, asideUntil: null, asideBy: null };

/** A target's state: with several keys, that of each key; it is set aside if all of them are. */
export function targetStandings(
  byKey: readonly UpstreamSettings[],
  healths: readonly TargetHealth[],
  now: Date,
): Aside & Pick<ModelTargetView, 'keys'> {
  const ofKey = (name: string | null) =>
    asideOf(
      healths.find(({ key }) => key === name),
      now,
    );
  if (byKey.length === 0) return { ...ofKey(null), keys: [] };
  const keys = byKey.map(({ keyName }) => ({ name: keyName ?? '', ...ofKey(keyName) }));
  const [soonest] = keys.toSorted((a, b) => Number(a.asideUntil) - Number(b.asideUntil));
  const { asideReason, asideUntil, asideBy } = soonest ?? NOT_ASIDE;
  return { asideReason, asideUntil, asideBy, keys };
}

function asideOf(health: TargetHealth | undefined, now: Date): Aside {
  if (!health || health.asideForMs === null || health.standing === 'free' || health.standing === 'probe') {
    return NOT_ASIDE;
  }
  const asideUntil = new Date(now.getTime() + health.asideForMs);
  return { asideReason: health.standing, asideUntil, asideBy: health.asideBy };
}
