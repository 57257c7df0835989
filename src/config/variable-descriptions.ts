import { maskedUrl } from './masked-url.js';
import type { Settings } from './settings.js';

interface VariableDescription {
  readonly description: string;
  /** What holds now; missing where the variable is a secret. */
  readonly value?: (settings: Settings) => string | null;
}

export type VariableDescriptions = Readonly<Record<string, VariableDescription>>;

/** The variables that are no upstream's own, but for those that name a service. One that is missing here is a secret. */
export const VARIABLE_DESCRIPTIONS: VariableDescriptions = {
  PORT: { description: 'the port to listen on; 0 takes a free one', value: ({ port }) => String(port) },
  HOST: { description: 'the address to listen on', value: ({ host }) => host },
  METRICS_PORT: {
    description: 'a port of its own for GET /metrics; 0 takes a free one',
    value: ({ metricsPort }) => (metricsPort === null ? null : String(metricsPort)),
  },
  WORKERS: { description: 'how many processes serve on the port', value: ({ workers }) => String(workers) },
  APP_URL: { description: 'the public address of the gateway', value: ({ appUrl }) => appUrl && maskedUrl(appUrl) },
  DATA_DIR: { description: 'where the embedded database and the journal live', value: ({ dataDir }) => dataDir },
  CONFIG_DIR: { description: 'where the files of the configuration are', value: ({ configDir }) => configDir },
  DATABASE_URL: {
    description: 'a Postgres of your own in place of the embedded one',
    value: ({ databaseUrl }) => databaseUrl && maskedUrl(databaseUrl),
  },
  DATABASE_DIRECT_URL: {
    description: 'the way round PgBouncer to the same database',
    value: ({ databaseDirectUrl }) => databaseDirectUrl && maskedUrl(databaseDirectUrl),
  },
  DATABASE_READ_URL: {
    description: 'a streaming replica that reports are read from',
    value: ({ databaseReadUrl }) => databaseReadUrl && maskedUrl(databaseReadUrl),
  },
  LOG_LEVEL: { description: 'how much is logged', value: ({ logLevel }) => logLevel },
  SIMULATOR: { description: 'simulated answers: on, off or auto', value: ({ simulator }) => simulator.mode },
  HTTP_PROXY: {
    description: 'the proxy for calls by http',
    value: ({ proxy }) => (proxy.httpProxy === undefined ? null : maskedUrl(proxy.httpProxy)),
  },
  HTTPS_PROXY: {
    description: 'the proxy for calls by https',
    value: ({ proxy }) => (proxy.httpsProxy === undefined ? null : maskedUrl(proxy.httpsProxy)),
  },
  NO_PROXY: { description: 'hosts that are called without a proxy', value: ({ proxy }) => proxy.noProxy ?? null },
  ALERT_WEBHOOK_URL: { description: 'where alerts are sent; the address may hold a secret' },
  ALERT_WEBHOOK_SECRET: { description: 'what alerts are signed with' },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description: 'where the traces of calls go, by OTLP over HTTP',
    value: ({ traces }) => (traces === null ? null : maskedUrl(traces.url.replace(/\/v1\/traces$/, ''))),
  },
  OTEL_EXPORTER_OTLP_HEADERS: { description: 'headers for that' },
  OTEL_SERVICE_NAME: {
    description: 'what the gateway is called in traces',
    value: ({ traces }) => traces?.serviceName ?? null,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    description: "the share of the calls that are traced where the caller's trace does not say",
    value: ({ traces }) => (traces === null ? null : String(traces.ratio)),
  },
  ADMIN_EMAIL: {
    description: 'who is made the first administrator when there has been none',
    value: ({ firstAdmin }) => firstAdmin?.email ?? null,
  },
  ADMIN_PASSWORD: { description: "the first administrator's password" },
  OIDC_CLIENT_SECRET: { description: "the gateway's secret at the provider of single sign-on" },
  STRIPE_SECRET_KEY: { description: "the gateway's secret key at Stripe, which sells plans" },
  STRIPE_WEBHOOK_SECRET: { description: 'what Stripe signs its events with' },
  STRIPE_BASE_URL: {
    description: "Stripe's API, where it is not reached at its own address",
    value: ({ stripe }) => (stripe?.baseUrl ? maskedUrl(stripe.baseUrl) : null),
  },
  AWS_ACCESS_KEY_ID: { description: 'the first of a pair of AWS keys' },
  AWS_SECRET_ACCESS_KEY: { description: 'the second of a pair of AWS keys' },
  AWS_SESSION_TOKEN: { description: 'the token of a temporary pair of AWS keys' },
  GOOGLE_APPLICATION_CREDENTIALS: { description: 'the file with the key of a Google service account' },
};
