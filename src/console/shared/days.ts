import type { ClockService } from '../../database/clock.service.js';

export const DAY_MS = 86_400_000;

export function dayBefore(clock: ClockService): Date {
  return new Date(clock.now() - DAY_MS);
}
