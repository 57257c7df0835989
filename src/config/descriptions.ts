import { maskedUrl } from './environment.js';
import type { Settings } from './settings.js';

/** The purpose of each key of gateway.yaml, in the words of the comments in the shipped file. */
export const KEY_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'server.bodyLimit': 'largest request body',
  'server.keepAliveTimeout': "how long an idle client connection stays open; longer than your load balancer's timeout",
  'server.trustProxy': 'addresses or ranges of proxies whose X-Forwarded-For is trusted, e.g. [10.0.0.0/8]',
  'server.corsOrigins': 'origins whose pages may call /v1, e.g. ["https://app.example.com"]',
  'server.modelsFormat': 'format of GET /v1/models for plain clients: array or list',
  'server.listAliases': 'whether GET /v1/models also lists the aliases of models',
  'server.listen': 'ready: listen once calls can be served; start: immediately, so that probes are answered until then',
  'stream.commitAfter': "how long the upstream may be silent before a stream's head is sent anyway",
  'stream.heartbeat': 'sends a `: ping` comment after this much silence, once the head is sent',
  'retry.attempts': 'attempts of one call, including the first',
  'retry.budgetPercent': 'retries in progress, as a share of the calls in progress',
  'retry.floor': 'retries in progress that are allowed beyond that share',
  'retry.maxRetryAfter': 'the longest Retry-After of an upstream that the gateway waits for',
  'retry.retryWithoutRefusedParameters': 'repeat a call once without a sampling parameter that the model refuses',
  'simulator.mode': 'on, off, or auto: on while no model has a live upstream',
  'simulator.tokensPerSecond': 'speed of a simulated answer',
  'auth.cacheTtl': 'how long a caller is cached; changes still take effect within 1 s',
  'auth.cacheSize': 'number of callers that are cached',
  'auth.issuers':
    'identity providers whose tokens callers may send in place of an API key; see docs/identity-providers.md',
  'shutdown.drainDelay':
    'how long to accept connections after SIGTERM, while /health/ready is already 503; not used after SIGINT',
  'shutdown.deadline': 'how long running answers may then continue',
  unsupported: 'a field that the model does not support: reject the request, or ignore the field',
  'signIn.local': 'sign-in with e-mail and password',
  'signIn.oidc': 'single sign-on',
  'signIn.oidc.issuer': 'the address of the OpenID Connect provider',
  'signIn.oidc.clientId': "the gateway's client id at the provider",
  'signIn.oidc.label': 'the text of the sign-in button',
  'signIn.oidc.scopes': 'the scopes to request from the provider',
  'signIn.oidc.groupsClaim': "the claim with a person's groups",
  'signIn.oidc.adminGroups': 'groups whose members are administrators',
  'signIn.oidc.memberGroups': 'groups whose members may sign in; not set: everyone',
  'signIn.oidc.plans': 'groups whose members have a plan',
  'signIn.oidc.projects': 'groups whose members have a role in a project',
  'signIn.oidc.planLifetime': 'how long such a plan lasts after a sign-in; not set: until the person leaves the group',
  'signIn.oidc.requireVerifiedEmail': 'whether to refuse e-mail addresses that the provider has not verified',
  'signIn.sessionIdle': 'a session ends after this long without use',
  'signIn.sessionMax': 'a session ends after this long even if it is used',
  'keyPolicy.maxLifetime': 'the longest lifetime of a key; null: no limit',
  'keyPolicy.defaultLifetime': 'the lifetime that the console suggests',
  'tokenPolicy.maxLifetime': 'the longest lifetime of an access token',
  'tokenPolicy.defaultLifetime': 'the lifetime of a token that is created without one',
  'keys.perUser': 'live API keys (not revoked or expired) that one user may have; null: no limit',
  'usage.retention': 'how long the ledger is kept',
  'payments.prices': 'plans for sale and their prices at Stripe, e.g. { pro: price_1Abc }',
  'idempotency.retention': 'how long an answer is kept for a repeat with the same Idempotency-Key; 0 keeps none',
  'idempotency.maxAnswer': 'larger answers are not kept',
  'contentLog.retention': 'how long prompts and answers are kept, for keys and projects that opted in',
  'contentLog.maxSize': 'longer prompts and answers are cut',
  'responses.remember':
    'how long responses are kept for previous_response_id and item_reference, e.g. 30d; needs CONTENT_LOG_KEY. off: not at all',
  'responses.maxPerOwner': 'stored responses of one user or project; the oldest are deleted first',
  'cache.maxAnswer': 'larger answers are not cached',
  'cache.maxSize': 'cached answers of all models; the least recently used are deleted first',
  cacheByHeader: 'whether callers can cache any call with the header x-gateway-cache: on; needs CONTENT_LOG_KEY',
  'metrics.allow': 'addresses or ranges that may read GET /metrics in addition to this machine, e.g. [10.0.0.0/8]',
  'routing.consecutiveFailures': 'failures in a row after which a target is set aside',
  'routing.failurePercent': 'or this share of failed calls in the window',
  'routing.minimumCalls': 'fewest calls in the window for failurePercent to apply',
  'routing.window': 'length of the window',
  'routing.asideFor': 'how long a target is set aside; doubled each time its probe fails',
  'routing.asideAtMost': 'the longest time that a target is set aside',
  'routing.queue': 'how long a call waits for room while all its targets are full; 0s: not at all',
  'overload.maxCalls': 'concurrent calls in a process; more get 503. null: no limit',
  'overload.maxLoopDelay': 'new calls get 503 while the event loop lags by more than this',
  'overload.maxBufferedBytes': 'request bodies in memory; those of one project or user may take half of it',
  'whenDatabaseIsAway.do': 'refuse new calls, or serve known callers without checking their limits',
  'whenDatabaseIsAway.forAtMost': 'serve: for how long in an outage',
  'whenDatabaseIsAway.upToUsd': 'serve: what the calls of an outage may cost in each process',
  guards: 'what requests and answers are checked for, by name: docs/guards.md',
  guardsForAll: 'the guards of every call; a model, plan, project or key can add others',
  hostedToolsPerCall:
    'calls of a tool that the provider runs which a budget reserves, where the request sets no limit (`max_uses`, `max_tool_calls`)',
  reload:
    'when models, upstreams and routing are read again; signal: at SIGHUP and config:reload; watch: also when a file changes',
};

/** The title of each section of gateway.yaml; '' holds the keys without a section. */
export const SECTION_TITLES: Readonly<Record<string, string>> = {
  server: 'Server',
  stream: 'Streams',
  retry: 'Retries',
  simulator: 'Simulator',
  auth: 'Callers',
  shutdown: 'Shutdown',
  signIn: 'Sign-in',
  keyPolicy: 'Key policy',
  tokenPolicy: 'Access tokens',
  keys: 'Keys',
  usage: 'Usage',
  payments: 'Payments',
  idempotency: 'Idempotency-Key',
  contentLog: 'Content log',
  responses: 'Responses',
  cache: 'Cache of equal answers',
  metrics: 'Metrics',
  routing: 'Routing',
  overload: 'Overload',
  whenDatabaseIsAway: 'When the database is unavailable',
  '': 'Requests',
};

interface VariableDescription {
  readonly description: string;
  /** The current value; missing if the variable is a secret. */
  readonly value?: (settings: Settings) => string | null;
}

export type VariableDescriptions = Readonly<Record<string, VariableDescription>>;

/** Variables that do not belong to an upstream, except those that name a service. One without an entry is a secret. */
export const VARIABLE_DESCRIPTIONS: VariableDescriptions = {
  PORT: { description: 'the port to listen on; 0 takes a free one', value: ({ port }) => String(port) },
  HOST: { description: 'the address to listen on', value: ({ host }) => host },
  METRICS_PORT: {
    description: 'a separate port for GET /metrics; 0 takes a free one',
    value: ({ metricsPort }) => (metricsPort === null ? null : String(metricsPort)),
  },
  WORKERS: { description: 'how many processes serve on the port', value: ({ workers }) => String(workers) },
  APP_URL: { description: 'the public address of the gateway', value: ({ appUrl }) => appUrl && maskedUrl(appUrl) },
  DATA_DIR: { description: 'the folder of the embedded database and the journal', value: ({ dataDir }) => dataDir },
  CONFIG_DIR: { description: 'the folder of the configuration files', value: ({ configDir }) => configDir },
  DATABASE_URL: {
    description: 'your own Postgres, in place of the embedded one',
    value: ({ databaseUrl }) => databaseUrl && maskedUrl(databaseUrl),
  },
  DATABASE_PASSWORD: { description: 'the password for addresses of the database that have none' },
  PGPASSFILE: { description: 'a file with the passwords of databases, as libpq reads it', value: () => null },
  DATABASE_DIRECT_URL: {
    description: 'the address of the same database without PgBouncer',
    value: ({ databaseDirectUrl }) => databaseDirectUrl && maskedUrl(databaseDirectUrl),
  },
  DATABASE_READ_URL: {
    description: 'a streaming replica for reports',
    value: ({ databaseReadUrl }) => databaseReadUrl && maskedUrl(databaseReadUrl),
  },
  LOG_LEVEL: { description: 'the lowest level that is logged', value: ({ logLevel }) => logLevel },
  SIMULATOR: { description: 'simulated answers: on, off or auto', value: ({ simulator }) => simulator.mode },
  HTTP_PROXY: {
    description: 'the proxy for http requests',
    value: ({ proxy }) => (proxy.httpProxy === undefined ? null : maskedUrl(proxy.httpProxy)),
  },
  HTTPS_PROXY: {
    description: 'the proxy for https requests',
    value: ({ proxy }) => (proxy.httpsProxy === undefined ? null : maskedUrl(proxy.httpsProxy)),
  },
  NO_PROXY: { description: 'hosts that are reached without a proxy', value: ({ proxy }) => proxy.noProxy ?? null },
  ALERT_WEBHOOK_URL: { description: 'where alerts are sent; the address may contain a secret' },
  ALERT_WEBHOOK_SECRET: { description: 'the secret that signs alerts' },
  CONTENT_LOG_KEY: { description: 'the key that encrypts the content log and stored responses' },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description: 'where traces of calls are sent, by OTLP over HTTP',
    value: ({ traces }) => (traces === null ? null : maskedUrl(traces.url.replace(/\/v1\/traces$/, ''))),
  },
  OTEL_EXPORTER_OTLP_HEADERS: { description: 'headers for the traces endpoint' },
  OTEL_SERVICE_NAME: {
    description: 'the service name of the gateway in traces',
    value: ({ traces }) => traces?.serviceName ?? null,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    description: "the share of calls that are traced when the caller's trace does not decide",
    value: ({ traces }) => (traces === null ? null : String(traces.ratio)),
  },
  ADMIN_EMAIL: {
    description: 'the e-mail address of the first administrator, created if there has never been one',
    value: ({ firstAdmin }) => firstAdmin?.email ?? null,
  },
  ADMIN_PASSWORD: { description: "the first administrator's password" },
  OIDC_CLIENT_SECRET: { description: "the gateway's client secret at the single sign-on provider" },
  STRIPE_SECRET_KEY: { description: "the gateway's secret key at Stripe, for selling plans" },
  STRIPE_WEBHOOK_SECRET: { description: 'the secret that signs events from Stripe' },
  STRIPE_BASE_URL: {
    description: "another address of Stripe's API",
    value: ({ stripe }) => (stripe?.baseUrl ? maskedUrl(stripe.baseUrl) : null),
  },
  AWS_ACCESS_KEY_ID: { description: 'the access key id of a pair of AWS keys' },
  AWS_SECRET_ACCESS_KEY: { description: 'the secret key of a pair of AWS keys' },
  AWS_SESSION_TOKEN: { description: 'the token of a temporary pair of AWS keys' },
  GOOGLE_APPLICATION_CREDENTIALS: { description: 'the JSON key file of a Google service account' },
};
