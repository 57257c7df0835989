import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ConfigFiles, createWorkFolder } from '../../test/support/test-settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { SettingsError } from './config-file.js';
import { loadSettings, type Settings } from './settings.js';
import { settingsWarnings } from './warnings.js';

type Variables = Record<string, string>;

interface Given {
  config?: ConfigFiles;
  variables?: Variables;
  /** Text of the `.env` file. */
  dotEnv?: string;
  /** Other files of the folder, by name. */
  files?: Record<string, string>;
}

/** The settings of a folder with these files and variables; files are named relative to the folder. */
async function load({ config = {}, variables = {}, dotEnv, files = {} }: Given = {}): Promise<Settings> {
  const folder = await createWorkFolder(config);
  try {
    if (dotEnv !== undefined) await writeFile(join(folder.path, '.env'), dotEnv);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
    const here = (value: string) => value.replace('{folder}', folder.path);
    return loadSettings(
      Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, here(value)])),
      PROVIDERS,
      folder.path,
    );
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new SettingsError(error.faults.map((fault) => ({ ...fault, file: fault.file.replace(/^.*\//, '') })));
  } finally {
    await folder.remove();
  }
}

/** Without the numbers of the lines. */
async function faultsOf(given: Given): Promise<string[]> {
  return (await linesOf(given)).map((line) => line.replace(/^(\w+\.yaml):\d+/, '$1'));
}

async function linesOf(given: Given): Promise<string[]> {
  const error = await load(given).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SettingsError);
  return (error as SettingsError).message.split('\n');
}

const gateway = (text: string): Given => ({ config: { 'gateway.yaml': text } });

describe('the environment', () => {
  it('has its documented defaults', async () => {
    expect(await load()).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      appUrl: null,
      databaseUrl: null,
      databaseDirectUrl: null,
      logLevel: 'info',
      proxy: {},
      simulator: { mode: 'auto' },
    });
  });

  it('overrides .env, .env the files, and an empty variable counts as not set', async () => {
    const config = { 'gateway.yaml': 'simulator: { mode: "off" }' };
    expect((await load({ config })).simulator.mode).toBe('off');
    expect((await load({ config, dotEnv: 'SIMULATOR=on' })).simulator.mode).toBe('on');
    expect((await load({ config, dotEnv: 'SIMULATOR=on', variables: { SIMULATOR: 'auto' } })).simulator.mode).toBe(
      'auto',
    );
    expect((await load({ config, dotEnv: 'SIMULATOR=on', variables: { SIMULATOR: '' } })).simulator.mode).toBe('on');
  });

  it('gives each upstream its key and address, a dash in its name written as an underscore', async () => {
    const { upstreams } = await load({
      config: {
        'upstreams.yaml': 'my-vllm: { protocol: openai-compatible, baseUrl: "http://10.0.0.7:8000/v1" }',
        'models.yaml': '[]',
      },
      variables: { MY_VLLM_API_KEY: 'sk-1', MY_VLLM_BASE_URL: 'http://10.0.0.8/v1/' },
    });
    expect(upstreams.get('my-vllm')).toMatchObject({ apiKey: 'sk-1', baseUrl: 'http://10.0.0.8/v1' });
  });

  it('reads a secret from the file that NAME_FILE names, without the trailing line break', async () => {
    const files = { secret: 'sk-from-file\n', database: 'postgres://u:p@db/x\n' };
    const variables = { OPENAI_API_KEY_FILE: '{folder}/secret', DATABASE_URL_FILE: '{folder}/database' };
    const settings = await load({ files, variables });
    expect(settings.upstreams.get('openai')?.apiKey).toBe('sk-from-file');
    expect(settings.databaseUrl).toBe('postgres://u:p@db/x');
  });

  it('refuses a secret that is given twice, is in a missing file, or is not valid in a header', async () => {
    const faults = await faultsOf({
      files: { key: 'sk-first\nsk-second\n' },
      variables: {
        OPENAI_API_KEY: 'sk-a',
        OPENAI_API_KEY_FILE: '{folder}/key',
        GROQ_API_KEY_FILE: '/nowhere/key',
        XAI_API_KEY_FILE: '{folder}/key',
      },
    });
    expect(faults).toEqual([
      'environment: OPENAI_API_KEY_FILE is set together with OPENAI_API_KEY; set only one of them',
      'environment: XAI_API_KEY must consist of visible ASCII characters without a space or line break',
      'environment: GROQ_API_KEY_FILE names a file that cannot be read (ENOENT)',
    ]);
  });

  it('names every invalid variable without its value', async () => {
    const variables = {
      PORT: '65536',
      METRICS_PORT: 'on',
      APP_URL: 'gateway.example.com',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      LOG_LEVEL: 'loud',
      OPENAI_BASE_URL: 'ftp://hunter2',
      SIMULATOR: 'maybe',
    };
    expect(await faultsOf({ variables })).toEqual([
      'environment: PORT must be a number from 0 to 65535',
      'environment: METRICS_PORT must be a number from 0 to 65535',
      'environment: APP_URL must be a URL that starts with http:// or https://',
      'environment: DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
      'environment: LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
      'environment: OPENAI_BASE_URL must be a URL that starts with http:// or https://',
      'environment: SIMULATOR must be one of auto, on, off',
    ]);
  });

  it('refuses a port for metrics that is the port of the gateway', async () => {
    const fault = 'environment: METRICS_PORT must differ from PORT; leave it out to have GET /metrics on PORT';
    expect(await faultsOf({ variables: { METRICS_PORT: '8080' } })).toEqual([fault]);
    expect(await faultsOf({ variables: { PORT: '9000', METRICS_PORT: '9000' } })).toEqual([fault]);
    expect((await load({ variables: { PORT: '0', METRICS_PORT: '0' } })).metricsPort).toBe(0);
  });

  it('warns of names that are almost those of its variables', async () => {
    const warnings = async (variables: Variables) => settingsWarnings(await load({ variables }), Date.now());
    expect(
      await warnings({ DATABSE_URL: 'x', LOG_LEVLE: 'debug', OPENAI_API_KY: 'k', CONTENT_LOG_KEY_FIEL: 'x' }),
    ).toEqual(
      [
        ['DATABSE_URL', 'DATABASE_URL'],
        ['LOG_LEVLE', 'LOG_LEVEL'],
        ['OPENAI_API_KY', 'OPENAI_API_KEY'],
        ['CONTENT_LOG_KEY_FIEL', 'CONTENT_LOG_KEY_FILE'],
      ].map(([name, meant]) => `${name} is not a variable of the gateway and has no effect. Did you mean ${meant}?`),
    );
    const others = { HOME: '/', GROK_API_KEY: 'k', ZAI_API_KEY: 'k', SPORT: '1', PGHOST: 'x', OPENAI_ORG_ID: 'o' };
    expect(await warnings({ ...others, PORT: '1', LOG_LEVEL: 'debug', LOG_LEVELS: 'all' })).toEqual([]);
  });

  it.each(['-1', '80a', '8080.5', ' ', '1e3', '100000'])('refuses the port %j', async (PORT) => {
    expect(await faultsOf({ variables: { PORT } })).toEqual(['environment: PORT must be a number from 0 to 65535']);
  });

  it('accepts a number of workers, or one for each processor', async () => {
    expect((await load({})).workers).toBe(1);
    expect((await load({ variables: { WORKERS: '4' } })).workers).toBe(4);
    expect((await load({ variables: { WORKERS: 'auto' } })).workers).toBe(Math.min(availableParallelism(), 32));
  });

  it.each(['0', '33', '-1', '1.5', 'all'])('refuses the number of workers %j', async (WORKERS) => {
    expect(await faultsOf({ variables: { WORKERS } })).toEqual([
      'environment: WORKERS must be auto or a number from 1 to 32',
    ]);
  });

  it('reads the proxy variables in upper and lower case', async () => {
    expect((await load({ variables: { HTTPS_PROXY: 'http://p:1', no_proxy: 'a,b' } })).proxy).toEqual({
      httpsProxy: 'http://p:1',
      noProxy: 'a,b',
    });
  });
});

describe('gateway.yaml', () => {
  it('can be empty, and so can each section', async () => {
    const defaults = await load(gateway('{}'));
    for (const text of ['', '# nothing\n', 'server:\nstream:\nretry:\nsimulator:\nauth:\nsignIn:\nusage:\n']) {
      const { configDir: _, dataDir: __, origins: ___, ...settings } = await load(gateway(text));
      expect(defaults).toMatchObject(settings);
    }
  });

  it('explains the format of durations and sizes', async () => {
    expect(await faultsOf(gateway('stream: { commitAfter: 15, heartbeat: 15 s }\nserver: { bodyLimit: 0mb }'))).toEqual(
      [
        'gateway.yaml: server.bodyLimit must be at least 1kb',
        'gateway.yaml: stream.commitAfter must be a duration such as 15s, 2m or 500ms',
        'gateway.yaml: stream.heartbeat must be a duration such as 15s, 2m or 500ms',
      ],
    );
    expect((await load(gateway('usage: { retention: 400d }'))).usage.retention).toBe(400 * 86_400_000);
  });

  it('names all invalid keys together, including nested and unknown ones', async () => {
    const text = `
      server: { bodyLimit: 32, trustProxy: [10.0.0.0/8, banana, 0.0.0.0/0], corsOrigins: ["https://a.example/"], modelsFormat: table, port: 1 }
      stream: 5
      retry: { attempts: 0, floor: -1, budgetPercent: 101, retryWithoutRefusedParameters: "yes" }
      auth: { cacheSize: 1.5 }
      signIn: { oidc: {} }
      unsupported: drop
      secrets: { token: hunter2 }`;
    expect(await faultsOf(gateway(text))).toEqual([
      'gateway.yaml: server.bodyLimit must be a size such as 32mb',
      'gateway.yaml: server.trustProxy[1] must be an address or a range such as 10.0.0.0/8',
      'gateway.yaml: server.trustProxy[2] must not trust every address: name those of your proxies',
      'gateway.yaml: server.corsOrigins[0] must be an origin such as https://app.example.com, without a path',
      'gateway.yaml: server.modelsFormat must be one of array, list',
      'gateway.yaml: server.port is not a known key',
      'gateway.yaml: stream must be an object, not an integer',
      'gateway.yaml: retry.attempts must be at least 1',
      'gateway.yaml: retry.budgetPercent must be at most 100',
      'gateway.yaml: retry.floor must be at least 0',
      'gateway.yaml: retry.retryWithoutRefusedParameters must be a boolean, not a string',
      'gateway.yaml: auth.cacheSize must be an integer, not a fraction',
      'gateway.yaml: unsupported must be one of reject, ignore',
      'gateway.yaml: signIn.oidc.issuer is required',
      'gateway.yaml: signIn.oidc.clientId is required',
      'gateway.yaml: secrets is not a known key',
    ]);
  });

  it.each([
    ['a: [1\n', /^gateway\.yaml:\d: the file is not valid YAML: /],
    ['stream: {}\nstream: {}\n', /^gateway\.yaml:2: the file is not valid YAML: Map keys must be unique/],
    ['stream: *nothing\n', /^gateway\.yaml: the file is not valid YAML: Unresolved alias/],
    ['- 1\n', /^gateway\.yaml:1: the file must be an object, not a list/],
    ['{}\n---\n{}\n', /^gateway\.yaml:\d: the file is not valid YAML: /],
  ])('names the line of invalid YAML, and a file that is not a mapping: %j', async (text, fault) => {
    const faults = await linesOf(gateway(text));
    expect(faults[0]).toMatch(fault);
    expect(faults.join()).not.toContain('required');
  });
});

describe('the files together', () => {
  it('are validated together: files, references and environment', async () => {
    const config = {
      'gateway.yaml': 'strem: {}',
      'upstreams.yaml': `
openai: { protocol: opnai, baseUrl: "ftp://x", clocks: { connect: soon, headers: 1s }, auth: basic }
Bad_Name: { protocol: openai, baseUrl: "https://x" }
half: { baseUrl: "https://x" }
none:`,
      'models.yaml': `
- { id: a, tier: gold, targets: [{ upstream: nowhere, model: m, weight: 0, region: x }] }
- { id: a, tier: free, displayName: "", description: D, contextLength: "9", targets: [] }
- 5
- { id: "sp ace", tier: pro, displayName: D, description: D, contextLength: 1, price: { inputUsdPerMTok: -1 },
    capabilities: [fly], targets: [{ upstream: openai }] }`,
    };
    expect(await faultsOf({ config, variables: { OPENAI_API_KEY_FILE: '/nowhere', PORT: 'x' } })).toEqual([
      'gateway.yaml: strem is not a known key',
      expect.stringMatching(
        /^upstreams\.yaml: openai\.protocol must be one of openai, anthropic, gemini, .*openai-compatible$/,
      ),
      'upstreams.yaml: openai.baseUrl must be an http or https URL',
      'upstreams.yaml: openai.auth must be one of none, google, aws, azure',
      'upstreams.yaml: openai.clocks.connect must be a duration such as 15s, 2m or 500ms',
      'upstreams.yaml: openai.clocks.headers is not a known key',
      'upstreams.yaml: Bad_Name must be a name in lower case with digits and dashes',
      'upstreams.yaml: half.protocol is required',
      'upstreams.yaml: none must be an object, not empty',
      'models.yaml (model a): tier must be one of free, pro',
      'models.yaml (model a): displayName is required',
      'models.yaml (model a): description is required',
      'models.yaml (model a): contextLength is required',
      'models.yaml (model a): targets[0].weight must be more than 0',
      'models.yaml (model a): targets[0].region is not a known key',
      'models.yaml (model a): displayName must not be empty',
      'models.yaml (model a): contextLength must be a number, not a string',
      'models.yaml (model a): targets must name at least one target',
      'models.yaml: [2] must be an object, not an integer',
      'models.yaml: [3].id must be 1 to 100 letters, digits or . _ : / -',
      'models.yaml: [3].capabilities[0] must be one of image_input, tools, json_schema, reasoning',
      'models.yaml: [3].price.inputUsdPerMTok must be at least 0',
      'models.yaml: [3].price.outputUsdPerMTok is required',
      'models.yaml: [3].targets[0].model is required',
      'models.yaml (model a): targets[0].upstream names no upstream of upstreams.yaml',
      'models.yaml (model a): id is the id of an earlier model',
      'environment: PORT must be a number from 0 to 65535',
      'environment: OPENAI_API_KEY_FILE names a file that cannot be read (ENOENT)',
    ]);
  });

  it('are faulted by line, and models.yaml by the id of the model', async () => {
    const config = {
      'gateway.yaml': '# a comment\nretry:\n  attempts: 99\nserver: &s\n  bodyLimit: 1b\n',
      'upstreams.yaml': 'openai:\n  protocol: openai\n  baseUrl: "https://x"\n  clocks: { idle: 1m,\n    total: 1s }\n',
      'models.yaml': `
- id: m-alias
  aliases: [gpt-4o]
  tier: free
  displayName: A
  description: D
  contextLength: 1
  targets: [{ upstream: openai, model: m }]

- id: m-clash
  aliases:
    - other
    - gpt-4o
  tier: gold
  displayName: A
  targets:
    - { upstream: nowhere,
        model: m, region: x }
- "no mapping"`,
    };
    expect(await linesOf({ config })).toEqual([
      'gateway.yaml:5: server.bodyLimit must be at least 1kb',
      'gateway.yaml:3: retry.attempts must be at most 10',
      'models.yaml:14 (model m-clash): tier must be one of free, pro',
      'models.yaml:10 (model m-clash): description is required',
      'models.yaml:10 (model m-clash): contextLength is required',
      'models.yaml:18 (model m-clash): targets[0].region is not a known key',
      'models.yaml:19: [2] must be an object, not a string',
      "models.yaml:13 (model m-clash): alias 'gpt-4o' belongs to 'm-alias'",
      'models.yaml:17 (model m-clash): targets[0].upstream names no upstream of upstreams.yaml',
      'upstreams.yaml:4: openai.clocks.idle must not be longer than openai.clocks.total',
    ]);
  });

  it('must all exist', async () => {
    expect(await faultsOf({ variables: { CONFIG_DIR: '{folder}' } })).toEqual(
      ['gateway', 'upstreams', 'models'].map((name) => `${name}.yaml: the file cannot be read (ENOENT)`),
    );
  });

  it('can have no models', async () => {
    const settings = await load({ config: { 'models.yaml': '', 'upstreams.yaml': '' } });
    expect([settings.models, settings.upstreams.size]).toEqual([[], 0]);
    expect(settingsWarnings(settings, Date.now())).toEqual([
      'models.yaml has no models: every call is refused. Check that the file is complete.',
    ]);
  });
});
