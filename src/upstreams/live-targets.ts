import type { TargetSettings } from '../config/models.settings.js';
import { allowedUseOf } from '../config/units.js';
import type { UpstreamSettings } from '../config/upstreams.settings.js';
import type { LiveTarget } from './target.types.js';

/** One target for each key of the upstream; these share the configured target's weight. */
export function liveTargetsOf(target: TargetSettings, upstream: UpstreamSettings): LiveTarget[] {
  const { byKey } = upstream;
  if (byKey.length === 0) return [toLiveTarget(target, upstream)];
  return byKey.map((one) => toLiveTarget(target, one, target.weight / byKey.length));
}

export function targetIdOf(upstream: string, model: string, keyName: string | null): string {
  return keyName === null ? `${upstream}/${model}` : `${upstream}/${model}#${keyName}`;
}

export function toLiveTarget(target: TargetSettings, upstream: UpstreamSettings, weight = target.weight): LiveTarget {
  const { model, priority, reasonsWithoutTools, traits } = target;
  const { name, keyName } = upstream;
  return {
    id: targetIdOf(name, model, keyName),
    upstream,
    keyName,
    upstreamModel: model,
    priority,
    weight,
    reasonsWithoutTools,
    traits,
    allowed: allowedUseOf(target),
  };
}
