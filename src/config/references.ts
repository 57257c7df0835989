import { z } from 'zod';
import type { ConfigFile } from './config-file.js';
import type { Fault } from './settings.error.js';

/** The parts of the files that are checked here, whatever else they contain. */
const upstreams = z.record(z.string(), z.unknown()).catch({});
const target = z.looseObject({ upstream: z.string().optional().catch(undefined) }).catch({});
const model = z
  .looseObject({
    id: z.string().optional().catch(undefined),
    targets: z.array(target).catch([]),
    fallback: z.array(z.unknown()).catch([]),
  })
  .catch({ targets: [], fallback: [] });
const models = z.array(model).catch([]);

export function upstreamNames(content: unknown): string[] {
  return Object.keys(upstreams.parse(content));
}

/**
 * Ids that two models share, targets with an upstream that the other file does not have, fallbacks to a missing model.
 */
export function referenceFaults(modelsFile: ConfigFile<unknown>, upstreamsFile: ConfigFile<unknown>): Fault[] {
  const known = upstreamsFile.content === undefined ? null : new Set(upstreamNames(upstreamsFile.content));
  const fault = (key: string, problem: string): Fault => ({ file: modelsFile.path, key, problem });
  const list = models.parse(modelsFile.content);
  const ids = list.map(({ id }) => id);
  return list.flatMap(({ id, targets, fallback }, i) => [
    ...(id !== undefined && ids.indexOf(id) < i ? [fault(`[${i}].id`, 'is the id of an earlier model')] : []),
    ...targets.flatMap(({ upstream }, j) =>
      known === null || upstream === undefined || known.has(upstream)
        ? []
        : [fault(`[${i}].targets[${j}].upstream`, 'names no upstream of upstreams.yaml')],
    ),
    ...fallback.flatMap((name, j) => {
      if (typeof name !== 'string') return [];
      if (name === id) return [fault(`[${i}].fallback[${j}]`, 'names the model itself')];
      return ids.includes(name) ? [] : [fault(`[${i}].fallback[${j}]`, 'names no model of this file')];
    }),
  ]);
}
