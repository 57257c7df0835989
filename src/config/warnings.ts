import type { Settings } from './settings.js';
import { givenVariable } from './upstream-protocol.js';
import type { UpstreamSettings } from './upstreams.settings.js';

/** One line for each kind of thing to check that is not an error. */
export function settingsWarnings(settings: Settings, now: number): string[] {
  return [
    ...misspeltWarnings(settings),
    ...missingKeysWarnings(settings),
    ...emptyWarnings(settings),
    ...endedWarnings(settings, now),
  ];
}

/** Keys of upstreams.yaml whose variable is not set. */
function missingKeysWarnings({ upstreams, origins }: Settings): string[] {
  const missing = [...upstreams.values()]
    .flatMap(({ keys, keyVariables }) => (keys ? keyVariables : []))
    .filter((variable) => givenVariable(variable, origins.variables) === null);
  if (missing.length === 0) return [];
  return [`Keys that upstreams.yaml names are not set: ${missing.join(', ')}. Their upstreams use the other keys.`];
}

function emptyWarnings({ models }: Settings): string[] {
  return models.length > 0
    ? []
    : ['models.yaml has no models: every call is refused. Check that the file is complete.'];
}

/** Variables that are almost called like one of the gateway's that is not set. */
function misspeltWarnings({ origins: { variables, setVariables } }: Settings): string[] {
  const known = [...variables.keys()].flatMap((name) => [name, `${name}_FILE`]);
  return setVariables
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((other) => isMisspelt(name, other));
      if (meant === undefined || givenVariable(meant, variables)) return [];
      return [`${name} is not a variable of the gateway and has no effect. Did you mean ${meant}?`];
    });
}

/** Other programs have keys of other providers: `GROK_API_KEY` is not a misspelt `GROQ_API_KEY`. */
function isMisspelt(name: string, known: string): boolean {
  const [suffix = ''] = /(_API_KEY|_BASE_URL|_CREDENTIALS)(_FILE)?$/.exec(known) ?? [];
  const ends = name.endsWith(suffix) ? -suffix.length || undefined : undefined;
  const [a, b] = [name.slice(0, ends), known.slice(0, ends)];
  if (Math.min(a.length, b.length) < 6 || Math.abs(a.length - b.length) > 2) return false;
  return distance(a, b) <= (b.length < 12 ? 1 : 2);
}

/** How many letters are changed, missing, added or swapped with their neighbour. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (up: number, left: number) => rows[i - up]?.[j - left] ?? 0;
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = at(1, 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(at(1, 0) + 1, (row[j - 1] ?? 0) + 1, changed, isSwapped ? at(2, 2) + 1 : changed));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

/** One line with the models that are not simulated and have no price; null if there are none. */
export function unpricedWarning(
  { models, upstreams }: Pick<Settings, 'models' | 'upstreams'>,
  isLive: (upstream: UpstreamSettings) => boolean,
): string | null {
  const live = new Set([...upstreams.values()].filter(isLive).map(({ name }) => name));
  const unpriced = models.filter(
    ({ hasPrice, targets }) => !hasPrice && targets.some(({ upstream }) => live.has(upstream)),
  );
  if (unpriced.length === 0) return null;
  const ids = unpriced.map(({ id }) => id).join(', ');
  return `No price in models.yaml: ${ids}. Their calls count as $0 and no budget covers them: add a price, or price: free.`;
}

/** One line for each kind of date that has passed: models that their provider no longer serves, and prices that ended. */
function endedWarnings({ models }: Pick<Settings, 'models'>, now: number): string[] {
  const ended = models.filter(({ deprecated }) => deprecated !== null && deprecated <= now);
  const outdated = models.filter(({ prices }) => prices.every(({ until }) => until !== null && until <= now));
  const replaced = ended.map(({ id, replacedBy }) => (replacedBy === null ? id : `${id} (use ${replacedBy})`));
  return [
    ...(ended.length > 0
      ? [
          `No longer served by the provider, by deprecated in models.yaml: ${replaced.join(', ')}. Remove or replace them.`,
        ]
      : []),
    ...(outdated.length > 0
      ? [
          `The price in models.yaml has ended: ${outdated.map(({ id }) => id).join(', ')}. It is still charged: add the new one.`,
        ]
      : []),
  ];
}
