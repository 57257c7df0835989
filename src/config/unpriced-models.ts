import type { Settings } from './settings.js';
import type { UpstreamSettings } from './upstreams.settings.js';

/** One line with the models that are not simulated and have no price; null if there are none. */
export function unpricedWarning(
  { models, upstreams }: Pick<Settings, 'models' | 'upstreams'>,
  isLive: (upstream: UpstreamSettings) => boolean,
): string | null {
  const live = new Set([...upstreams.values()].filter(isLive).map(({ name }) => name));
  const unpriced = models.filter(
    ({ hasPrice, targets }) => !hasPrice && targets.some(({ upstream }) => live.has(upstream)),
  );
  if (unpriced.length === 0) return null;
  const ids = unpriced.map(({ id }) => id).join(', ');
  return `No price in models.yaml: ${ids}. Their calls count as $0 and no budget covers them: add a price, or price: free.`;
}
