import { defaultModel } from '../../kit/default-model';
import type { ModelView } from './chat.types';

const LAST_USED = 'playground-model';

/** Not preselected while another model works. */
const UNRELIABLE: ReadonlySet<ModelView['health']['status']> = new Set(['simulated', 'failing']);

/**
 * The first model: the address's if it can be called, otherwise the previous choice, the last one used in this browser
 * unless a better one answers by now, or the default; undefined: no change.
 */
export function chosenModel(models: readonly ModelView[], inUrl: string, before: string): string | undefined {
  const callable = models.filter((model) => model.callable);
  const suggested = defaultModel(callable);
  const used = callable.find(({ id }) => id === lastUsed());
  const isWorse =
    used !== undefined && UNRELIABLE.has(used.health.status) && !UNRELIABLE.has(suggested?.health.status ?? 'failing');
  const wanted = [inUrl, before, isWorse ? undefined : used?.id, suggested?.id];
  const chosen = wanted.find((id) => callable.some((model) => model.id === id));
  return chosen === before ? undefined : chosen;
}

export function rememberModel(id: string): void {
  try {
    localStorage.setItem(LAST_USED, id);
  } catch {
    // If the browser forbids storage, start with the default.
  }
}

function lastUsed(): string | undefined {
  try {
    return localStorage.getItem(LAST_USED) ?? undefined;
  } catch {
    return undefined;
  }
}
