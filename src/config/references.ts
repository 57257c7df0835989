import { z } from 'zod';
import type { ConfigFile } from './config-file.js';
import type { Fault } from './settings.error.js';

/** The parts of the files that are checked here. */
const upstreams = z.record(z.string(), z.unknown()).catch({});
const target = z.looseObject({ upstream: z.string().optional().catch(undefined) }).catch({});
const model = z
  .looseObject({
    id: z.string().optional().catch(undefined),
    kind: z.string().default('chat').catch('chat'),
    aliases: z.array(z.unknown()).catch([]),
    targets: z.array(target).catch([]),
    fallback: z.array(z.unknown()).catch([]),
  })
  .catch({ kind: 'chat', aliases: [], targets: [], fallback: [] });
const models = z.array(model).catch([]);

type ModelPart = z.output<typeof model>;

/** A key within a model, and what is wrong with it. */
type ModelFault = readonly [key: string, problem: string];

export function upstreamNames(content: unknown): string[] {
  return Object.keys(upstreams.parse(content));
}

/**
 * Names that two models share, targets with an upstream that the other file does not have, fallbacks to a missing model
 * or to one of another kind.
 */
export function referenceFaults(modelsFile: ConfigFile<unknown>, upstreamsFile: ConfigFile<unknown>): Fault[] {
  const known = upstreamsFile.content === undefined ? null : new Set(upstreamNames(upstreamsFile.content));
  const list = models.parse(modelsFile.content);
  const names = namesOf(list);
  return list.flatMap((one, index) => {
    const faults = [...nameFaults(one, list, names), ...targetFaults(one, known), ...fallbackFaults(one, names)];
    return faults.map(([key, problem]): Fault => ({ file: modelsFile.path, key: `[${index}].${key}`, problem }));
  });
}

/** Each id and alias with its model. A name that several models claim belongs to the id, or to the first alias. */
function namesOf(list: readonly ModelPart[]): Map<unknown, ModelPart> {
  const names = new Map<unknown, ModelPart>();
  const add = (name: unknown, one: ModelPart) => {
    if (name !== undefined && !names.has(name)) names.set(name, one);
  };
  for (const one of list) add(one.id, one);
  for (const one of list) for (const alias of one.aliases) add(alias, one);
  return names;
}

function nameFaults(one: ModelPart, list: readonly ModelPart[], names: Map<unknown, ModelPart>): ModelFault[] {
  const { id, aliases } = one;
  const ofId: ModelFault[] = id !== undefined && names.get(id) !== one ? [['id', 'is the id of an earlier model']] : [];
  const ofAliases = aliases.flatMap((alias, index): ModelFault[] => {
    const key = `aliases[${index}]`;
    if (list.some((other) => other.id === alias)) return [[key, 'is the id of a model']];
    if (names.get(alias) !== one) return [[key, 'is an alias of an earlier model']];
    return aliases.indexOf(alias) < index ? [[key, 'is listed twice']] : [];
  });
  return [...ofId, ...ofAliases];
}

function targetFaults({ targets }: ModelPart, known: ReadonlySet<string> | null): ModelFault[] {
  return targets.flatMap(({ upstream }, index): ModelFault[] =>
    known === null || upstream === undefined || known.has(upstream)
      ? []
      : [[`targets[${index}].upstream`, 'names no upstream of upstreams.yaml']],
  );
}

function fallbackFaults(one: ModelPart, names: Map<unknown, ModelPart>): ModelFault[] {
  return one.fallback.flatMap((name, index): ModelFault[] => {
    if (typeof name !== 'string') return [];
    const key = `fallback[${index}]`;
    const other = names.get(name);
    if (name === one.id || other === one) return [[key, 'names the model itself']];
    if (!other) return [[key, 'names no model of this file']];
    return other.kind === one.kind ? [] : [[key, `names a model of kind ${other.kind}`]];
  });
}
