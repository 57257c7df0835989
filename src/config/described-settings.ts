import { join } from 'node:path';
import { z } from 'zod';
import { KEY_DESCRIPTIONS, SECTION_TITLES, VARIABLE_DESCRIPTIONS, type VariableDescriptions } from './descriptions.js';
import { maskedUrl } from './environment.js';
import { gatewayFile } from './gateway.settings.js';
import type { Settings } from './settings.js';
import { givenVariable, upstreamPrefix } from './upstream-protocol.js';

/** All settings, with their values and what sets them; for secrets only whether they are set. */
export function describeSettings(settings: Settings): SettingGroup[] {
  return [...describeFile(settings), ...describeVariables(settings)];
}

/** What sets a setting, in order of precedence. */
export type SettingSource = 'environment' | '.env' | 'file' | 'default';

/** One setting as it applies in this process. */
export interface DescribedSetting {
  /** `server.bodyLimit` of gateway.yaml, or the name of a variable. */
  readonly name: string;
  readonly description: string;
  /** In the format of the file; null if there is no value, or a secret. */
  readonly value: string | null;
  /** For secrets, only whether they are set; null for others. */
  readonly secret: 'set' | 'not set' | null;
  readonly source: SettingSource;
  /** The variable or file that sets it or can set it. */
  readonly setBy: string;
}

interface SettingGroup {
  readonly title: string;
  readonly settings: readonly DescribedSetting[];
}

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
function describeFile(settings: Settings): SettingGroup[] {
  const { content } = settings.origins.gatewayFile;
  const groups = new Map<string, DescribedSetting[]>();
  for (const [name, schema] of Object.entries(fileSchema().properties ?? {})) {
    const title = SECTION_TITLES[schema.properties ? name : ''] ?? name;
    const described = keysOf(schema, [name], content).map((key) => describeKey(key, settings));
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

function describeKey({ path, fallback }: Key, settings: Settings): DescribedSetting {
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
  if (Array.isArray(value)) {
    const texts = value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one)));
    return texts.length > 0 ? texts.join(', ') : null;
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Every variable that the settings read: the gateway's own and those of the upstreams. */
function describeVariables(settings: Settings): SettingGroup[] {
  const names = variableNames(settings);
  const ofUpstreams = new Map(upstreamSettings(settings).map((setting) => [setting.name, setting]));
  const descriptions = { ...VARIABLE_DESCRIPTIONS, ...schemeDescriptions(settings) };
  const own = names.filter((name) => !ofUpstreams.has(name)).map((name) => describeOwn(name, descriptions, settings));
  return [
    { title: 'Environment', settings: own },
    { title: 'Upstreams', settings: [...ofUpstreams.values()] },
  ];
}

/** Without the alternative names: `NAME_FILE`, and names of proxies in lower case. */
export function variableNames({ origins: { variables } }: Settings): string[] {
  const names = [...variables.keys()].map((name) => name.toUpperCase().replace(/_FILE$/, ''));
  return [...new Set(names)];
}

/** The variables of the schemes that upstreams use. */
function schemeDescriptions({ upstreams }: Settings): VariableDescriptions {
  const described = [...upstreams.values()].flatMap(({ scheme }) => Object.entries(scheme.descriptions ?? {}));
  return Object.fromEntries(described.map(([name, description]) => [name, { description }]));
}

function describeOwn(name: string, descriptions: VariableDescriptions, settings: Settings): DescribedSetting {
  const { description = '', value } = descriptions[name] ?? {};
  return describeVariable(name, description, value ? value(settings) : undefined, settings);
}

function upstreamSettings(settings: Settings): DescribedSetting[] {
  const { variables } = settings.origins;
  return [...settings.upstreams.values()].flatMap(({ name, baseUrl, keyVariables }) => {
    const prefix = upstreamPrefix(name);
    const account = `${prefix}_CREDENTIALS`;
    const address = describeVariable(
      `${prefix}_BASE_URL`,
      `the address of the upstream ${name}`,
      maskedUrl(baseUrl),
      settings,
    );
    return [
      ...keyVariables.map((key) => describeVariable(key, `an API key of the upstream ${name}`, undefined, settings)),
      ...(variables.has(account)
        ? [describeVariable(account, `the service account of ${name}`, undefined, settings)]
        : []),
      address.source === 'default'
        ? { ...address, source: 'file' as const, setBy: join(settings.configDir, 'upstreams.yaml') }
        : address,
    ];
  });
}

/** `value` is undefined for a secret. */
function describeVariable(
  name: string,
  description: string,
  value: string | null | undefined,
  settings: Settings,
): DescribedSetting {
  const given = givenVariable(name, settings.origins.variables);
  const secret = given ? 'set' : 'not set';
  const shown = value === undefined ? ({ value: null, secret } as const) : { value, secret: null };
  return { name, description, ...shown, source: given?.source ?? 'default', setBy: given?.name ?? name };
}
