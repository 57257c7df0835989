import { maskedUrl } from './masked-url.js';
import type { Settings } from './settings.js';

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
  CONTENT_LOG_KEY: { description: 'the key that encrypts the content log' },
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
