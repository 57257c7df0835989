import { join } from 'node:path';
import type { DescribedSetting, SettingGroup } from './described-settings.types.js';
import { maskedUrl } from './masked-url.js';
import type { Settings } from './settings.js';
import { givenVariable, upstreamPrefix } from './upstream-variables.js';
import { VARIABLE_DESCRIPTIONS, type VariableDescriptions } from './variable-descriptions.js';

/** Every variable that the settings read: the gateway's own and those of the upstreams. */
export function describeVariables(settings: Settings): SettingGroup[] {
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
  return describe(name, description, value ? value(settings) : undefined, settings);
}

function upstreamSettings(settings: Settings): DescribedSetting[] {
  const { variables } = settings.origins;
  return [...settings.upstreams.values()].flatMap(({ name, baseUrl, keyVariables }) => {
    const prefix = upstreamPrefix(name);
    const account = `${prefix}_CREDENTIALS`;
    const address = describe(`${prefix}_BASE_URL`, `the address of the upstream ${name}`, maskedUrl(baseUrl), settings);
    return [
      ...keyVariables.map((key) => describe(key, `an API key of the upstream ${name}`, undefined, settings)),
      ...(variables.has(account) ? [describe(account, `the service account of ${name}`, undefined, settings)] : []),
      address.source === 'default'
        ? { ...address, source: 'file' as const, setBy: join(settings.configDir, 'upstreams.yaml') }
        : address,
    ];
  });
}

/** `value` is undefined for a secret. */
function describe(
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
