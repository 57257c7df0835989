import { cheapestModel } from '../../kit/cheapest-model';
import type { ModelView } from './chat.types';

const LAST_USED = 'playground-model';

/**
 * The model to begin with: the address's if it can be called, else the one chosen before, the one used last in this
 * browser, or the cheapest; undefined: no change.
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
    // A browser that forbids storage begins with the cheapest.
  }
}

function lastUsed(): string | undefined {
  try {
    return localStorage.getItem(LAST_USED) ?? undefined;
  } catch {
    return undefined;
  }
}
