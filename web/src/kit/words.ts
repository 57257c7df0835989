import type { ModelView } from '../api/lists';
import type { components } from '../api/schema';
import { plural } from './numbers';

/** The label of a user: the e-mail address, or the name if there is none, as for service accounts of a project. */
export function userLabel({ email, name }: { readonly email: string | null; readonly name: string }): string {
  return email ?? name;
}

/**
 * The chat model to suggest, on all pages: one that works before others, then the cheapest; the gateway ranks them. None that
 * is failing.
 */
export function defaultModel(models: readonly ModelView[]): ModelView | undefined {
  return models
    .filter(({ callable, kind, health }) => callable && kind === 'chat' && health.status !== 'failing')
    .toSorted((a, b) => a.suggestionRank - b.suggestionRank)[0];
}

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

export const NO_PRICE = 'No price: its calls count as $0';

export function unpricedText(calls: number): string {
  return calls === 1
    ? '1 call of a model without a price is not part of this cost, and no budget covers it.'
    : `${plural(calls, 'call')} of models without a price are not part of this cost, and no budget covers them.`;
}
