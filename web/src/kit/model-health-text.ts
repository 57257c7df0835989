import type { components } from '../api/schema';

export type Health = components['schemas']['ModelHealthView'];

/** "3 of the last 20 calls within 24 hours failed." */
export function healthText({ status, calls, failures, targets, asideTargets }: Health): string {
  if (status === 'simulated') {
    return 'Answered by the built-in simulator, at no cost: no provider is connected for it.';
  }
  const aside = asideText(targets, asideTargets);
  if (calls === 0) return `No calls in the last 24 hours.${aside}`;
  if (calls === 1) return `The last call ${failures === 0 ? 'succeeded' : 'failed'}, within 24 hours.${aside}`;
  return `${failures === 0 ? 'None' : failures} of the last ${calls} calls within 24 hours failed.${aside}`;
}

function asideText(targets: number, aside: number): string {
  if (aside === 0) return '';
  if (targets === 1) return ' Its target is set aside.';
  return ` ${aside} of ${targets} targets ${aside === 1 ? 'is' : 'are'} set aside.`;
}
