import type { Settings } from './settings.js';
import { givenVariable } from './upstream-variables.js';

/** One line with the keys of upstreams.yaml whose variable is not set; null if there are none. */
export function missingKeysWarning({ upstreams, origins }: Pick<Settings, 'upstreams' | 'origins'>): string | null {
  const missing = [...upstreams.values()]
    .flatMap(({ keys, keyVariables }) => (keys ? keyVariables : []))
    .filter((variable) => givenVariable(variable, origins.variables) === null);
  if (missing.length === 0) return null;
  return `Keys that upstreams.yaml names are not set: ${missing.join(', ')}. Their upstreams use the other keys.`;
}
