import type { Clocks, UpstreamSettings } from '../../config/upstreams.settings.js';

/**
 * The timeouts of an attempt. A stream that has not started is abandoned earlier while another target is untried.
 * Answers without a stream are not, as they only arrive once they are complete.
 */
export function clocksOf(
  { clocks, nextTargetAfter }: Pick<UpstreamSettings, 'clocks' | 'nextTargetAfter'>,
  isStreamed: boolean,
  hasNext: boolean,
): Clocks {
  if (nextTargetAfter === null || !isStreamed || !hasNext) return clocks;
  return { ...clocks, firstEvent: Math.min(clocks.firstEvent, nextTargetAfter) };
}
