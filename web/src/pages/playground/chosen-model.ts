import { cheapestModel } from '../../kit/cheapest-model';
import type { ModelView } from './chat.types';

const LAST_USED = 'playground-model';

/**
 * The first model: the address's if it can be called, otherwise the previous choice, the last one used in this browser,
 * or the cheapest; undefined: no change.
 */
export function chosenModel(models: readonly ModelView[], inUrl: string, before: string): string | undefined {
  const callable = models.filter((model) => model.callable);
  const wanted = [inUrl, before, lastUsed(), cheapestModel(callable)?.id];
  const chosen = wanted.find((id) => callable.some((model) => model.id === id));
  return chosen === before ? undefined : chosen;
}

export function rememberModel(id: string): void {
  try {
    localStorage.setItem(LAST_USED, id);
  } catch {
    // If the browser forbids storage, start with the cheapest.
  }
}

function lastUsed(): string | undefined {
  try {
    return localStorage.getItem(LAST_USED) ?? undefined;
  } catch {
    return undefined;
  }
}
