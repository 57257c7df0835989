import { z } from 'zod';
import type { ConfigFile, Fault } from './config-file.js';
import type { GatewayFile } from './gateway.settings.js';
import { MODEL_NAME } from './models.settings.js';
import type { UpstreamsFile } from './upstreams.settings.js';

/** The written values, in any format of the files. A default is lowered if a written value is less. */
const object = z.record(z.string(), z.unknown()).catch({});

const WITHIN_TOTAL = ['connect', 'head', 'firstEvent', 'idle'] as const;

/** Finds written values that contradict each other. */
export function consistencyFaults(gateway: ConfigFile<GatewayFile>, upstreams: ConfigFile<UpstreamsFile>): Fault[] {
  return [...lifetimeFaults(gateway), ...clockFaults(upstreams)];
}

function lifetimeFaults({ content, value, fault }: ConfigFile<GatewayFile>): Fault[] {
  return (['keyPolicy', 'tokenPolicy'] as const).flatMap((section) => {
    const written = object.parse(object.parse(content)[section]);
    if (!value || written.defaultLifetime === undefined) return [];
    const { maxLifetime, defaultLifetime } = value[section];
    if (maxLifetime === null || defaultLifetime <= maxLifetime) return [];
    return [fault([section, 'defaultLifetime'], `must not be longer than ${section}.maxLifetime`)];
  });
}

function clockFaults({ content, value, fault }: ConfigFile<UpstreamsFile>): Fault[] {
  return Object.entries(value ?? {}).flatMap(([name, { clocks }]) => {
    const written = object.parse(object.parse(object.parse(content)[name]).clocks);
    if (written.total === undefined) return [];
    return WITHIN_TOTAL.filter((clock) => written[clock] !== undefined && clocks[clock] > clocks.total).map((clock) =>
      fault([name, 'clocks', clock], `must not be longer than ${name}.clocks.total`),
    );
  });
}

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
    guards: z.array(z.unknown()).catch([]),
    replacedBy: z.unknown().optional(),
  })
  .catch({ kind: 'chat', aliases: [], targets: [], fallback: [], guards: [] });
const models = z.array(model).catch([]);

type ModelPart = z.output<typeof model>;

/** A path within a model, what is wrong there, and a name for it in place of the path. */
type ModelFault = readonly [path: readonly PropertyKey[], problem: string, key?: string];

export function upstreamNames(content: unknown): string[] {
  return Object.keys(upstreams.parse(content));
}

/**
 * Names that two models share, targets with an upstream that the other file does not have, fallbacks and
 * replacements that are missing or of another kind.
 */
export function referenceFaults(
  modelsFile: ConfigFile<unknown>,
  upstreamsFile: ConfigFile<unknown>,
  gatewayFile: ConfigFile<unknown>,
): Fault[] {
  const guards = new Set(upstreamNames(object.parse(gatewayFile.content).guards));
  const known = upstreamsFile.content === undefined ? null : new Set(upstreamNames(upstreamsFile.content));
  const list = models.parse(modelsFile.content);
  const names = namesOf(list);
  return list.flatMap((one, index) => {
    const faults = [
      ...nameFaults(one, list, names),
      ...targetFaults(one, known),
      ...one.fallback.flatMap((name, at) => otherModelFaults(one, name, ['fallback', at], names)),
      ...guardFaults(one, guards),
      ...otherModelFaults(one, one.replacedBy, ['replacedBy'], names),
    ];
    return faults.map(([path, problem, key]) => modelsFile.fault([index, ...path], problem, key));
  });
}

function guardFaults({ guards }: ModelPart, known: ReadonlySet<string>): ModelFault[] {
  return guards.flatMap((name, at) =>
    typeof name === 'string' && !known.has(name) ? [[['guards', at], 'names no guard of gateway.yaml'] as const] : [],
  );
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
  const ofId: ModelFault[] =
    id !== undefined && names.get(id) !== one ? [[['id'], 'is the id of an earlier model']] : [];
  const ofAliases = aliases.flatMap((alias, index): ModelFault[] => {
    // The schema reports others, which could be anything.
    if (typeof alias !== 'string' || !MODEL_NAME.test(alias)) return [];
    const fault = (problem: string): ModelFault[] => [[['aliases', index], problem, `alias '${alias}'`]];
    if (list.some((other) => other.id === alias)) return fault('is the id of a model');
    const owner = names.get(alias);
    if (owner !== one)
      return fault(MODEL_NAME.test(owner?.id ?? '') ? `belongs to '${owner?.id}'` : 'belongs to another model');
    return aliases.indexOf(alias) < index ? fault('is listed twice') : [];
  });
  return [...ofId, ...ofAliases];
}

function targetFaults({ targets }: ModelPart, known: ReadonlySet<string> | null): ModelFault[] {
  return targets.flatMap(({ upstream }, index): ModelFault[] =>
    known === null || upstream === undefined || known.has(upstream)
      ? []
      : [[['targets', index, 'upstream'], 'names no upstream of upstreams.yaml']],
  );
}

function otherModelFaults(
  one: ModelPart,
  name: unknown,
  path: readonly PropertyKey[],
  names: Map<unknown, ModelPart>,
): ModelFault[] {
  if (typeof name !== 'string') return [];
  const other = names.get(name);
  if (name === one.id || other === one) return [[path, 'names the model itself']];
  if (!other) return [[path, 'names no model of this file']];
  return other.kind === one.kind ? [] : [[path, `names a model of kind ${other.kind}`]];
}
