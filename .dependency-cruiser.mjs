// Who may know whom in src/. A folder of src/ is a module; each line lists the modules that it may use.
const base = ['common', 'config', 'json', 'telemetry'];
const stored = [...base, 'http', 'database', 'audit', 'alerts', 'limits/values'];
const callers = [...stored, 'limits/settings', 'accounts', 'billing', 'ledger', 'usage', 'auth'];
const modules = {
  common: [],
  config: ['common'],
  json: [],
  telemetry: ['common', 'config'],
  http: base,
  database: base,
  backup: [...base, 'database'],
  alerts: [...base, 'database'],
  audit: [...base, 'database'],
  'content-log': [...base, 'database', 'audit'],
  'limits/values': [...base, 'database'],
  accounts: stored,
  billing: stored,
  ledger: stored,
  usage: [...stored, 'ledger'],
  'limits/settings': [...stored, 'billing'],
  auth: [...stored, 'limits/settings', 'accounts', 'billing', 'ledger', 'usage'],
  upstreams: base,
  // Knows the format of API keys, to find them in texts.
  guards: [...base, 'auth'],
  payments: [...stored, 'accounts', 'billing'],
  apply: [...callers, 'cache'],
  scim: [...stored, 'accounts', 'billing'],
  cache: [...stored, 'content-log', 'ledger', 'upstreams'],
  models: [...callers, 'upstreams'],
  limits: [...callers, 'upstreams', 'models'],
  completions: [...callers, 'cache', 'content-log', 'upstreams', 'guards', 'models', 'limits'],
  apis: [...base, 'http', 'auth', 'content-log', 'upstreams', 'models', 'limits', 'completions'],
};

// On top of them: each may use all of the above, and none of its neighbours.
const onTop = ['console', 'health'];

// The command line prints and exports what the console reports.
const commandLine = [...Object.keys(modules), 'console'];

// What main.ts starts and stops: may use everything but the command line.
const lifecycle = [...Object.keys(modules), 'console', 'health'];

// The files directly in a module's folder are its face, its subfolders are private to it; but for these.
const openFolders = [
  'common',
  'config',
  'http',
  'json',
  'completions/formats',
  'limits/(settings|values)',
  'upstreams/(contract|tokens)',
  // The command line prints and exports what the console reports, and finds the database of a running gateway.
  'console/(projects|usage)',
  'database/embedded',
];

// The console's front end, by folder of web/src/.
const web = {
  api: [],
  snippets: [],
  theme: [],
  charts: [],
  icons: [],
  kit: ['api', 'snippets', 'icons'],
  keys: ['api', 'snippets', 'icons', 'kit'],
  tokens: ['api', 'icons', 'kit'],
  // How a key or a user stands: usage, limits, errors.
  activity: ['api', 'charts', 'kit', 'icons'],
  shell: ['api', 'kit', 'theme', 'icons'],
  pages: ['api', 'snippets', 'theme', 'charts', 'kit', 'keys', 'tokens', 'activity', 'shell', 'icons'],
};

const spec = '\\.spec\\.ts$';
/** What the console's build makes of its icons. */
const icons = '^icon:';
const tracer = '^src/telemetry/open-telemetry\\.tracer\\.ts$';
const providers = '^src/upstreams/providers';

/** Everything in src/ that a module may not use: what is neither itself nor below it. The same in another root. */
function arrow(module, below, root = 'src') {
  return {
    name: `${root === 'src' ? '' : `${root}/`}${module}-knows-only-what-is-below`,
    severity: 'error',
    from: { path: `^${root}/${module}/`, pathNot: [spec, ...Object.keys(modules).filter(isWithin(module))] },
    to: { path: `^${root}/`, pathNot: `^${root}/(${[module, ...below].join('|')})/` },
  };
}

/** A folder within a module that has a place of its own in the list, below the module. */
function isWithin(module) {
  return (other) => other.startsWith(`${module}/`);
}

/** A new folder gets its place in the lists at the top of this file. */
function everyFolderIsListed(root, folders) {
  return {
    name: `every-folder-of-${root}-is-listed`,
    severity: 'error',
    from: { path: `^${root}/(?!(${folders.join('|')})/)[^/]+/` },
    to: {},
  };
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(modules).map(([module, below]) => arrow(module, below)),
    ...onTop.map((module) => arrow(module, Object.keys(modules))),
    arrow('lifecycle', lifecycle),
    arrow('cli', commandLine),
    everyFolderIsListed('src', [...Object.keys(modules), ...onTop, 'cli', 'lifecycle']),
    ...Object.entries(web).map(([folder, below]) => arrow(folder, below, 'web/src')),
    everyFolderIsListed('web/src', Object.keys(web)),
    {
      name: 'pages-do-not-know-each-other',
      comment: 'What two pages need lies in kit/, or in api/ if it only asks the gateway.',
      severity: 'error',
      from: { path: '^web/src/pages/([^/]+)/' },
      to: { path: '^web/src/pages/', pathNot: '^web/src/pages/$1/' },
    },
    {
      name: 'the-console-stands-alone',
      comment: 'Of the gateway it knows the types that `npm run docs` writes to web/src/api/; it runs in a browser.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: spec },
      to: { pathNot: ['^web/src/', '^web/node_modules/', icons] },
    },
    {
      name: 'the-bench-stands-alone',
      comment: 'It measures the built gateway from outside, as a client; it may know the shape of what it is given.',
      severity: 'error',
      from: { path: '^bench/' },
      to: { path: '^(src|test|scripts|web)/', dependencyTypesNot: ['type-only', 'type-import'] },
    },
    {
      name: 'a-module-is-known-by-its-face',
      comment: 'Of another module only the files directly in its folder are known, and never its entities.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: spec },
      to: {
        path: ['^src/[^/]+/[^/]+/', '\\.entity\\.ts$'],
        pathNot: [`^src/($1|${openFolders.join('|')})/`, '^src/(upstreams/providers/providers|apis/apis)\\.ts$'],
      },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'a-provider-knows-its-contract-and-its-own-folder',
      comment:
        'Beside them shared/, the format, JSON text, what the settings know of it, the errors, rxjs, hashes, and as bases openai/, openai-responses/ and anthropic/.',
      severity: 'error',
      from: { path: `${providers}/([^/]+)/`, pathNot: [spec, `${providers}/shared/`] },
      to: {
        pathNot: [
          `${providers}/($1|openai|openai-responses|anthropic)/`,
          `${providers}/shared/`,
          '^src/upstreams/contract/',
          '^src/upstreams/client/auth/([^/]+\\.scheme|signer)\\.ts$',
          '^src/common/gateway\\.error\\.ts$',
          '^src/json/',
          '^src/config/upstream-protocol\\.ts$',
          '^node_modules/rxjs/',
          '^(node:)?crypto$',
        ],
      },
    },
    {
      name: 'only-the-list-knows-the-providers',
      comment: 'providers.ts names them.',
      severity: 'error',
      from: { path: '^src/', pathNot: [spec, `${providers}/providers\\.ts$`, `${providers}/[^/]+/`] },
      to: { path: `${providers}/(?!shared/)[^/]+/` },
    },
    {
      name: 'an-api-knows-its-contract-and-its-own-folder',
      comment: 'Nothing of providers, and of other APIs only what lies in shared/.',
      severity: 'error',
      from: { path: '^src/apis/([^/]+)/', pathNot: spec },
      to: { path: ['^src/apis/[^/]+/', '^src/upstreams/(?!contract/|tokens/)'], pathNot: '^src/apis/($1|shared)/' },
    },
    {
      name: 'only-the-list-knows-the-apis',
      comment: 'apis.ts names them: adding one is a folder and a line.',
      severity: 'error',
      from: { path: '^src/', pathNot: [spec, '^src/apis/apis\\.ts$', '^src/apis/[^/]+/'] },
      to: { path: '^src/apis/[^/]+/' },
    },
    {
      name: 'outbound-http-only-in-upstream',
      comment: 'And in the one way out to whoever is no upstream; the API and the metrics have a server each.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          spec,
          '^src/upstreams/client/',
          '^src/common/outbound-http\\.ts$',
          '^src/http/entrance/gateway\\.adapter\\.ts$',
          '^src/telemetry/metrics-server\\.service\\.ts$',
        ],
      },
      to: { path: '^(node:)?(http|https|http2)$|(^|/)undici(/|$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'traces-are-loaded-where-they-are-wanted',
      comment: 'OpenTelemetry is for one file, which is imported when an endpoint is set.',
      severity: 'error',
      from: { path: '^src/', pathNot: [spec, tracer] },
      to: { path: ['(^|/)@opentelemetry/', tracer], dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sources-know-no-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: spec },
      to: { path: ['^(test|bench|scripts|web)/', spec] },
    },
    {
      name: 'sources-run-without-development-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: spec },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'packages-are-declared',
      comment: "In the manifest beside it; the console's tests run with the tools of the others.",
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: '^node_modules/@jest/globals/' },
    },
    {
      name: 'imports-resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: icons },
    },
    {
      name: 'nothing-knows-the-entry-points',
      severity: 'error',
      from: { path: '^src/', pathNot: [spec, '^src/[^/]+\\.ts$'] },
      to: { path: ['^src/[^/]+\\.ts$', '^src/cli/main\\.ts$'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Programs of other projects' clients, whose packages `npm run test:clients` installs.
    exclude: { path: '^test/clients/programs/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
