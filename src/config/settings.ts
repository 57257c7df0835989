import { resolve } from 'node:path';
import { Inject } from '@nestjs/common';
import { registerAs } from '@nestjs/config';
import { readConfigFile } from './config-file.js';
import { Environment } from './environment.js';
import { type GatewayFile, gatewayFile } from './gateway.settings.js';
import { type ModelSettings, modelsFile } from './models.settings.js';
import { type Fault, SettingsError } from './settings.error.js';
import { type UpstreamSettings, upstreamsFile } from './upstreams.settings.js';

/** Everything that can be configured, validated; nothing else in the gateway reads the environment or config/. */
export interface Settings extends GatewayFile {
  readonly host: string;
  readonly port: number;
  /** The public address of the gateway without a trailing slash, if it is set. */
  readonly appUrl: string | null;
  readonly dataDir: string;
  readonly configDir: string;
  /** Null: the embedded Postgres in `dataDir`. */
  readonly databaseUrl: string | null;
  /** A way to the same database that keeps sessions, for LISTEN and advisory locks, when `databaseUrl` pools them. */
  readonly databaseDirectUrl: string | null;
  readonly logLevel: LogLevel;
  /** For upstream calls. */
  readonly proxy: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>;
  readonly models: readonly ModelSettings[];
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** The settings of this process. Throws like `loadSettings`. */
export function processSettings(): Settings {
  return loadSettings(process.env);
}

/** The settings as a provider: `@InjectSettings() settings: Settings`. */
export const settingsProvider = registerAs('gateway', processSettings);

export const InjectSettings = (): ParameterDecorator => Inject(settingsProvider.KEY);

/** Reads environment, `.env` and config/*.yaml. Throws one `SettingsError` that names every fault. */
export function loadSettings(variables: NodeJS.ProcessEnv, folder = process.cwd()): Settings {
  const faults: Fault[] = [];
  const environment = new Environment(variables, folder, faults);
  const configDir = resolve(folder, environment.read('CONFIG_DIR') ?? 'config');
  const gateway = readConfigFile(configDir, 'gateway.yaml', gatewayFile, faults);
  const upstreams = readConfigFile(configDir, 'upstreams.yaml', upstreamsFile, faults);
  const models = readConfigFile(configDir, 'models.yaml', modelsFile, faults);
  if (upstreams && models) faults.push(...danglingReferences(resolve(configDir, 'models.yaml'), models, upstreams));
  const settings = {
    host: environment.read('HOST') ?? '127.0.0.1',
    port: readPort(environment),
    appUrl: readUrl(environment, 'APP_URL', /^https?:$/)?.replace(/\/+$/, '') ?? null,
    dataDir: resolve(folder, environment.read('DATA_DIR') ?? 'data'),
    configDir,
    databaseUrl: readUrl(environment, 'DATABASE_URL', /^postgres(ql)?:$/) ?? null,
    databaseDirectUrl: readUrl(environment, 'DATABASE_DIRECT_URL', /^postgres(ql)?:$/) ?? null,
    logLevel: readChoice(environment, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
    proxy: readProxy(environment),
    upstreams: new Map(
      Object.entries(upstreams ?? {}).map(([name, upstream]) => [name, withEnvironment(name, upstream, environment)]),
    ),
    models: models ?? [],
  };
  const mode = readChoice(environment, 'SIMULATOR', ['auto', 'on', 'off'] as const);
  if (!gateway || faults.length > 0) throw new SettingsError(faults);
  return { ...gateway, ...settings, simulator: { ...gateway.simulator, ...(mode && { mode }) } };
}

function withEnvironment(name: string, upstream: Omit<UpstreamSettings, 'name' | 'apiKey'>, environment: Environment) {
  const prefix = name.toUpperCase().replaceAll('-', '_');
  const baseUrl = (readUrl(environment, `${prefix}_BASE_URL`, /^https?:$/) ?? upstream.baseUrl).replace(/\/+$/, '');
  return { ...upstream, name, baseUrl, apiKey: environment.readSecret(`${prefix}_API_KEY`) ?? null };
}

function danglingReferences(
  file: string,
  models: readonly ModelSettings[],
  upstreams: Readonly<Record<string, unknown>>,
): Fault[] {
  const ids = models.map((model) => model.id);
  return models.flatMap((model, i) => [
    ...(ids.indexOf(model.id) < i ? [{ file, key: `[${i}].id`, problem: 'is the id of an earlier model' }] : []),
    ...model.targets.flatMap(({ upstream }, j) =>
      Object.hasOwn(upstreams, upstream)
        ? []
        : [{ file, key: `[${i}].targets[${j}].upstream`, problem: 'names no upstream of upstreams.yaml' }],
    ),
  ]);
}

function readPort(environment: Environment): number {
  const text = environment.read('PORT') ?? '8080';
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  environment.fault('PORT', 'must be a number from 0 to 65535');
  return 0;
}

function readUrl(environment: Environment, name: string, protocol: RegExp): string | undefined {
  const value = environment.readSecret(name);
  if (value === undefined || (URL.canParse(value) && protocol.test(new URL(value).protocol))) return value;
  environment.fault(name, `must be a URL whose scheme fits ${protocol.source}`);
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

/** Upper and lower case are both usual for these names. */
function readProxy(environment: Environment): Settings['proxy'] {
  const read = (name: string) => environment.read(name) ?? environment.read(name.toLowerCase());
  const httpProxy = read('HTTP_PROXY');
  const httpsProxy = read('HTTPS_PROXY');
  const noProxy = read('NO_PROXY');
  return { ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }), ...(noProxy && { noProxy }) };
}
