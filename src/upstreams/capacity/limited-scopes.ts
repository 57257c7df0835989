import { type AllowedUse, allowedUseOf } from '../../config/allowed-use.js';
import type { Settings } from '../../config/settings.js';
import { liveTargetsOf } from '../targets/live-targets.js';
import type { LiveTarget } from '../targets/target.types.js';

/** The scope of a provider's limits: an upstream's key, or one model with that key. */
export interface LimitedScope {
  readonly id: string;
  readonly upstream: string;
  /** Null: the upstream has a single key. */
  readonly key: string | null;
  /** The upstream's name for the model; null: the limits apply to the whole upstream. */
  readonly model: string | null;
  readonly limits: AllowedUse;
}

/** The limits of a target: its upstream's, which apply to each key, and its own. */
function scopesOf({ id, upstream, keyName, upstreamModel, allowed }: LiveTarget): LimitedScope[] {
  const { name } = upstream;
  const ofUpstream = allowedUseOf(upstream);
  const ofKey = keyName === null ? name : `${name}#${keyName}`;
  return [
    ...(ofUpstream ? [{ id: ofKey, upstream: name, key: keyName, model: null, limits: ofUpstream }] : []),
    ...(allowed ? [{ id, upstream: name, key: keyName, model: upstreamModel, limits: allowed }] : []),
  ];
}

/** All limited scopes of the configuration, by id; a target used by two models counts once. */
export function limitedScopes({
  models,
  upstreams,
}: Pick<Settings, 'models' | 'upstreams'>): Map<string, LimitedScope> {
  const scopes = new Map<string, LimitedScope>();
  for (const target of models.flatMap(({ targets }) => targets)) {
    const upstream = upstreams.get(target.upstream);
    const targets = upstream ? liveTargetsOf(target, upstream) : [];
    for (const scope of targets.flatMap(scopesOf)) scopes.set(scope.id, scope);
  }
  return scopes;
}
