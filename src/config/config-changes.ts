import { isDeepStrictEqual } from 'node:util';
import { GATEWAY_SECTIONS } from './gateway.settings.js';
import type { Settings } from './settings.js';

/** The settings that can change while the gateway runs; others need a restart. */
export const RELOADED = ['models', 'upstreams', 'retry', 'routing', 'unsupported'] as const;

/** The keys of gateway.yaml that can change while the gateway runs. */
export const SECTIONS = ['retry', 'routing', 'unsupported'] as const;

/** One difference between two configurations. */
export interface ConfigChange {
  readonly file: 'gateway.yaml' | 'upstreams.yaml' | 'models.yaml';
  /** A section, the name of an upstream or the id of a model. */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** The differences between `next` and `now` in the settings that can change while the gateway runs. */
export function configChanges(now: Settings, next: Settings): ConfigChange[] {
  const models = (settings: Settings) => new Map(settings.models.map((model) => [model.id, model]));
  const sections = SECTIONS.filter((name) => !isDeepStrictEqual(now[name], next[name]));
  return [
    ...sections.map((name): ConfigChange => ({ file: 'gateway.yaml', name, change: 'changed' })),
    ...differences(now.upstreams, next.upstreams).map((one): ConfigChange => ({ file: 'upstreams.yaml', ...one })),
    ...differences(models(now), models(next)).map((one): ConfigChange => ({ file: 'models.yaml', ...one })),
    ...orderChange(now, next),
  ];
}

/** The sections of gateway.yaml that differ and need a restart. */
export function restartNeeds(now: Settings, next: Settings): string[] {
  return GATEWAY_SECTIONS.filter(
    (name) => !SECTIONS.some((section) => section === name) && !isDeepStrictEqual(now[name], next[name]),
  );
}

function differences(
  now: ReadonlyMap<string, unknown>,
  next: ReadonlyMap<string, unknown>,
): Pick<ConfigChange, 'name' | 'change'>[] {
  const names = [...new Set([...now.keys(), ...next.keys()])];
  return names.flatMap((name): Pick<ConfigChange, 'name' | 'change'>[] => {
    if (!now.has(name)) return [{ name, change: 'added' }];
    if (!next.has(name)) return [{ name, change: 'removed' }];
    return isDeepStrictEqual(now.get(name), next.get(name)) ? [] : [{ name, change: 'changed' }];
  });
}

/** Models are listed in the order of their file. */
function orderChange(now: Settings, next: Settings): ConfigChange[] {
  const ids = ({ models }: Settings) => models.map(({ id }) => id);
  const isReordered = !isDeepStrictEqual(ids(now), ids(next)) && isDeepStrictEqual(ids(now).sort(), ids(next).sort());
  return isReordered ? [{ file: 'models.yaml', name: 'order', change: 'changed' }] : [];
}
