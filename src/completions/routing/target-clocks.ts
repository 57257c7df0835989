import type { Clocks, UpstreamSettings } from '../../config/upstreams.settings.js';

/**
 * The clocks of an attempt. A stream that has not begun is given up sooner while there is another target to ask. A whole
 * answer comes when all of it is made, so that its silence tells nothing.
 */
export function clocksOf(
  { clocks, nextTargetAfter }: Pick<UpstreamSettings, 'clocks' | 'nextTargetAfter'>,
  isStreamed: boolean,
  hasNext: boolean,
): Clocks {
  if (nextTargetAfter === null || !isStreamed || !hasNext) return clocks;
  return { ...clocks, firstEvent: Math.min(clocks.firstEvent, nextTargetAfter) };
}
