import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Inject } from '@nestjs/common';
import { getConfigToken } from '@nestjs/config';
import { type ConfigFile, emptyConfigFile, type Fault, readConfigFile, SettingsError } from './config-file.js';
import { consistencyFaults, referenceFaults, upstreamNames } from './consistency.js';
import { type DatabaseUrls, readDatabaseUrls } from './database-urls.js';
import { Environment, readProxy, type VariableSource } from './environment.js';
import {
  type AlertSettings,
  type FirstAdminSettings,
  readAlerts,
  readContentLogKeys,
  readFirstAdmin,
  readStripe,
  readTraces,
  type StripeSettings,
  type TraceSettings,
} from './environment.settings.js';
import { type GatewayFile, gatewayFile } from './gateway.settings.js';
import type { GuardSettings } from './guard.settings.js';
import { readGuards } from './guard-reader.js';
import { type ModelSettings, modelsFile } from './models.settings.js';
import { type AuthScheme, namedAuths, type UpstreamProtocol, upstreamPrefix } from './upstream-protocol.js';
import {
  isBareUrl,
  NOT_BARE,
  readKeys,
  type UpstreamSettings,
  type UpstreamsFile,
  upstreamsFile,
} from './upstreams.settings.js';

/** The whole validated configuration; nothing else in the gateway reads the environment or config/. */
export interface Settings extends GatewayFile, DatabaseUrls {
  readonly host: string;
  readonly port: number;
  /** For `GET /metrics`; null: it is on `port`, with restricted access. */
  readonly metricsPort: number | null;
  /** Number of processes that serve on the port. */
  readonly workers: number;
  /** The public address of the gateway without a trailing slash, if it is set. */
  readonly appUrl: string | null;
  readonly dataDir: string;
  readonly configDir: string;
  readonly logLevel: LogLevel;
  /** The client secret at the single sign-on provider; null: the gateway is a public client. */
  readonly oidcClientSecret: string | null;
  /** The first administrator to create, if there has never been one. */
  readonly firstAdmin: FirstAdminSettings | null;
  /** Plans for sale; null: none. */
  readonly stripe: StripeSettings | null;
  /** For all outbound calls. */
  readonly proxy: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };
  /** 32 bytes each; the first one encrypts the content log and stored responses. Empty: neither is written. */
  readonly contentLogKeys: readonly Buffer[];
  /** Null: no alerts are sent. */
  readonly alerts: AlertSettings | null;
  /** Null: calls are not traced. */
  readonly traces: TraceSettings | null;
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>;
  readonly models: readonly ModelSettings[];
  /** The guards of gateway.yaml by name, with the words of their files and their secrets. */
  readonly guardSettings: ReadonlyMap<string, GuardSettings>;
  readonly origins: SettingOrigins;
}

/** The sources of the settings. */
export interface SettingOrigins {
  /** The content of gateway.yaml. */
  readonly gatewayFile: Pick<ConfigFile<GatewayFile>, 'path' | 'content'>;
  readonly variables: ReadonlyMap<string, VariableSource>;
  /** The names of all variables that are set, the gateway's or not. */
  readonly setVariables: readonly string[];
  /** Reads the settings again from the files. Throws like `loadSettings`. */
  readAgain(): Settings;
  /** The files of secrets that were read. */
  readonly secretFiles: ReadonlySet<string>;
  /** Reads the upstreams' secrets again from their files, without upstreams.yaml and `.env`. Throws, too. */
  readSecretsAgain(): ReadonlyMap<string, UpstreamSettings>;
  /** Reads the addresses of the database again: passwords in files change while the gateway runs. Throws, too. */
  readDatabaseUrls(): DatabaseUrls;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** Limited because each process has connections to the database. */
const MAX_WORKERS = 32;
/** Platforms on which processes can share a port. */
const SHARES_PORTS: readonly NodeJS.Platform[] = ['linux', 'freebsd', 'sunos', 'aix'];

const WEB = ['http:', 'https:'];
const POSTGRES = ['postgres:', 'postgresql:'];

/** The settings of this process. Throws like `loadSettings`. */
export function processSettings(protocols: readonly UpstreamProtocol[], files?: Files): Settings {
  return loadSettings(process.env, protocols, process.cwd(), files);
}

/** Whether config/*.yaml is read: commands that need only the environment ignore mistakes in these files. */
export type Files = 'read' | 'left out';

/** Injects the settings: `@InjectSettings() settings: Settings`. */
export const SETTINGS = getConfigToken('gateway');

export const InjectSettings = (): ParameterDecorator => Inject(SETTINGS);

/**
 * Reads the environment, `.env` and config/*.yaml, whose upstreams can use these protocols. Throws one `SettingsError`
 * with all mistakes.
 */
export function loadSettings(
  variables: NodeJS.ProcessEnv,
  protocols: readonly UpstreamProtocol[],
  folder = process.cwd(),
  files: Files = 'read',
): Settings {
  const faults: Fault[] = [];
  const environment = new Environment(variables, folder, faults);
  const configDir = resolve(folder, environment.read('CONFIG_DIR') ?? 'config');
  const fileOf = files === 'read' ? readConfigFile : emptyConfigFile;
  const gateway = fileOf(configDir, 'gateway.yaml', gatewayFile, faults);
  const upstreams = fileOf(configDir, 'upstreams.yaml', upstreamsFile(protocols), faults);
  const models = fileOf(configDir, 'models.yaml', modelsFile, faults);
  faults.push(...referenceFaults(models, upstreams, gateway), ...consistencyFaults(gateway, upstreams));
  const settings = {
    host: environment.read('HOST') ?? '127.0.0.1',
    port: readPort(environment, 'PORT') ?? 8080,
    metricsPort: readPort(environment, 'METRICS_PORT'),
    workers: readWorkers(environment),
    appUrl: readUrl(environment, 'APP_URL', WEB)?.replace(/\/+$/, '') ?? null,
    dataDir: resolve(folder, environment.read('DATA_DIR') ?? 'data'),
    configDir,
    ...databaseUrls(environment),
    logLevel: readChoice(environment, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
    oidcClientSecret: environment.readSecret('OIDC_CLIENT_SECRET') ?? null,
    firstAdmin: readFirstAdmin(environment),
    stripe: readStripe(environment, gateway.value?.payments.prices ?? {}),
    proxy: readProxy(environment),
    alerts: readAlerts(environment, readUrl(environment, 'ALERT_WEBHOOK_URL', WEB)),
    contentLogKeys: readContentLogKeys(environment),
    traces: readTraces(environment, readUrl(environment, 'OTEL_EXPORTER_OTLP_ENDPOINT', WEB)),
    upstreams: readUpstreams(upstreams, protocols, environment),
    models: models.value ?? [],
    guardSettings: readGuards(gateway, configDir, environment, new Set(upstreamNames(upstreams.content)), faults),
    origins: {
      gatewayFile: { path: gateway.path, content: gateway.content },
      variables: environment.sources,
      setVariables: environment.names(),
      readAgain: () => loadSettings(variables, protocols, folder),
      secretFiles: environment.files,
      readSecretsAgain: () => {
        const again = environment.again();
        const renewed = readUpstreams(upstreams, protocols, again);
        if (again.faults.length > 0) throw new SettingsError(again.faults);
        return renewed;
      },
      readDatabaseUrls: () => {
        const mistakes: Fault[] = [];
        const urls = databaseUrls(new Environment(variables, folder, mistakes));
        if (mistakes.length > 0) throw new SettingsError(mistakes);
        return urls;
      },
    },
  };
  if (gateway.value?.signIn.oidc && !environment.readSecret('APP_URL')) {
    environment.fault('APP_URL', 'is required by signIn.oidc: the provider redirects people to it');
  }
  if (gateway.value?.responses.remember && !environment.readSecret('CONTENT_LOG_KEY')) {
    environment.fault('CONTENT_LOG_KEY', 'is required by responses.remember: it encrypts the stored responses');
  }
  if (gateway.value?.cacheByHeader && !environment.readSecret('CONTENT_LOG_KEY')) {
    environment.fault('CONTENT_LOG_KEY', 'is required by cacheByHeader: it encrypts the cached answers');
  }
  const cached = models.value?.find(({ cache }) => cache !== null);
  if (cached && !environment.readSecret('CONTENT_LOG_KEY')) {
    environment.fault(
      'CONTENT_LOG_KEY',
      `is required by cache of the model ${cached.id}: it encrypts the cached answers`,
    );
  }
  if (settings.metricsPort === settings.port && settings.port !== 0) {
    environment.fault('METRICS_PORT', 'must differ from PORT; leave it out to have GET /metrics on PORT');
  }
  const mode = readChoice(environment, 'SIMULATOR', ['auto', 'on', 'off'] as const);
  if (!gateway.value || faults.length > 0) throw new SettingsError(faults);
  return { ...gateway.value, ...settings, simulator: { ...gateway.value.simulator, ...(mode && { mode }) } };
}

/** Each upstream with its variables, which are read and checked even if the file has mistakes. */
function readUpstreams(
  { content, value }: ConfigFile<UpstreamsFile>,
  protocols: readonly UpstreamProtocol[],
  environment: Environment,
): Map<string, UpstreamSettings> {
  const upstreams = new Map<string, UpstreamSettings>();
  for (const name of upstreamNames(content)) {
    const prefix = upstreamPrefix(name);
    const baseUrl = readUrl(environment, `${prefix}_BASE_URL`, WEB);
    if (baseUrl !== undefined && !isBareUrl(baseUrl)) environment.fault(`${prefix}_BASE_URL`, NOT_BARE);
    const upstream = value?.[name];
    const { keys, variables } = readKeys(environment, prefix, upstream?.keys);
    if (!upstream) continue;
    const scheme = schemeOf(upstream, protocols);
    const owner = { prefix, fileUrl: upstream.baseUrl, ownUrl: baseUrl, settings: upstream.settings };
    const read = scheme.read?.(environment, owner);
    const settings: UpstreamSettings = {
      ...upstream,
      name,
      scheme,
      apiKey: keys[0]?.secret ?? read?.apiKey ?? null,
      keyName: null,
      byKey: [],
      keyVariables: variables,
      credential: read?.credential ?? null,
      baseUrl: (read?.baseUrl ?? baseUrl ?? upstream.baseUrl).replace(/\/+$/, ''),
    };
    const byKey = keys.map(({ name: keyName, secret }) => ({ ...settings, apiKey: secret, keyName }));
    upstreams.set(name, scheme.usesApiKeys && byKey.length > 1 ? { ...settings, byKey } : settings);
  }
  return upstreams;
}

function schemeOf({ auth, protocol }: UpstreamsFile[string], protocols: readonly UpstreamProtocol[]): AuthScheme {
  const known = protocols.find((candidate) => candidate.protocol === protocol);
  if (!known) throw new Error(`the protocol '${protocol}' is not known`);
  return (auth === undefined ? undefined : namedAuths(protocols)[auth]) ?? known.auth;
}

function databaseUrls(environment: Environment): DatabaseUrls {
  return readDatabaseUrls(environment, (name) => readUrl(environment, name, POSTGRES));
}

function readPort(environment: Environment, name: string): number | null {
  const text = environment.read(name);
  if (text === undefined) return null;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  environment.fault(name, 'must be a number from 0 to 65535');
  return null;
}

function readWorkers(environment: Environment): number {
  const text = environment.read('WORKERS') ?? '1';
  const isPossible = SHARES_PORTS.includes(process.platform);
  if (text === 'auto') return isPossible ? Math.min(availableParallelism(), MAX_WORKERS) : 1;
  const workers = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (workers < 1 || workers > MAX_WORKERS) {
    environment.fault('WORKERS', `must be auto or a number from 1 to ${MAX_WORKERS}`);
  } else if (workers > 1 && !isPossible) {
    environment.fault('WORKERS', `must be 1 on this system: ${process.platform} cannot share a port between processes`);
  }
  return workers;
}

function readUrl(environment: Environment, name: string, schemes: readonly string[]): string | undefined {
  const value = environment.readSecret(name);
  if (value === undefined || (URL.canParse(value) && schemes.includes(new URL(value).protocol))) return value;
  environment.fault(name, `must be a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
  return undefined;
}

function readChoice<Choice extends string>(
  environment: Environment,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = environment.read(name);
  const choice = choices.find((candidate) => candidate === value);
  if (value !== undefined && choice === undefined) environment.fault(name, `must be one of ${choices.join(', ')}`);
  return choice;
}

/** These names are common in upper and lower case. */
