import type { Level } from '../../limits/levels.service.js';
import type { RateView } from './dto/user-limits.view.js';

export function rateViews(levels: readonly Level[] = [], now: number): RateView[] {
  return levels.map(({ fullInSeconds, ...level }) => ({
    ...level,
    fullAt: fullInSeconds === null ? null : new Date(now + fullInSeconds * 1000),
  }));
}
