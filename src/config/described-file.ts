import { z } from 'zod';
import type { DescribedSetting, SettingGroup } from './described-settings.types.js';
import { gatewayFile } from './gateway.settings.js';
import { KEY_DESCRIPTIONS, SECTION_TITLES } from './gateway-descriptions.js';
import type { Settings } from './settings.js';

/** Keys that a variable can set as well; the variable overrides the file. */
const VARIABLES: Readonly<Record<string, string>> = { 'simulator.mode': 'SIMULATOR' };

/** The parts of a JSON schema that are used here. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
}

interface Key {
  readonly path: readonly string[];
  readonly fallback: unknown;
}

/** Every key of gateway.yaml by section, from the schema of the file. */
export function describeFile(settings: Settings): SettingGroup[] {
  const { content } = settings.origins.gatewayFile;
  const groups = new Map<string, DescribedSetting[]>();
  for (const [name, schema] of Object.entries(fileSchema().properties ?? {})) {
    const title = SECTION_TITLES[schema.properties ? name : ''] ?? name;
    const described = keysOf(schema, [name], content).map((key) => describe(key, settings));
    groups.set(title, [...(groups.get(title) ?? []), ...described]);
  }
  return Array.from(groups, ([title, described]) => ({ title, settings: described }));
}

/**
 * Every key that the file can have; those of an optional section only if the file (`content`) has that section.
 *
 * @public
 */
export function gatewayKeys(content: unknown): string[] {
  return keysOf(fileSchema(), [], content).map(({ path }) => path.join('.'));
}

function fileSchema(): Schema {
  return z.toJSONSchema(gatewayFile, { io: 'input', unrepresentable: 'any' }) as Schema;
}

function keysOf(schema: Schema, path: readonly string[], content: unknown): Key[] {
  const properties = schema.properties ?? optionalProperties(schema, valueAt(content, path));
  if (!properties) return [{ path, fallback: schema.default ?? null }];
  return Object.entries(properties).flatMap(([name, property]) => keysOf(property, [...path, name], content));
}

/** The keys of a section that can be null, if it is not null. */
function optionalProperties({ anyOf = [] }: Schema, value: unknown): Schema['properties'] {
  const isUsed = typeof value === 'object' && value !== null;
  return isUsed ? anyOf.find(({ properties }) => properties)?.properties : undefined;
}

function describe({ path, fallback }: Key, settings: Settings): DescribedSetting {
  const { gatewayFile: file, variables } = settings.origins;
  const name = path.join('.');
  const base = { name, description: KEY_DESCRIPTIONS[name] ?? '', secret: null };
  const variable = VARIABLES[name];
  const source = variable === undefined ? null : variables.get(variable);
  if (variable !== undefined && source) {
    return { ...base, value: toText(valueAt(settings, path)), source, setBy: variable };
  }
  const written = valueAt(file.content, path);
  if (written !== undefined) return { ...base, value: toText(written), source: 'file', setBy: file.path };
  return { ...base, value: toText(fallback), source: 'default', setBy: file.path };
}

function valueAt(content: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => Object(value)[key], content);
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(', ') : null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
