/**
 * Request fields that are never sent upstream. Client libraries and other gateways read them as settings, which could
 * redirect the call, select another model or credential, or fake its answer. Names are in snake case; `apiBase`,
 * `API_BASE` and `api-base` count as `api_base`. Only top-level fields count.
 */
const DENIED_FIELDS: ReadonlySet<string> = new Set([
  // Destination.
  'api_base',
  'api_base_url',
  'api_endpoint',
  'api_host',
  'api_url',
  'base_url',
  'custom_host',
  'endpoint',
  'host',
  'proxies',
  'proxy',
  'region_name',
  'ssl_verify',
  'callback_url',
  'webhook_url',
  // API, account or model.
  'api_type',
  'api_version',
  'custom_llm_provider',
  'deployment',
  'deployment_id',
  'engine',
  'model_id',
  'model_info',
  'model_list',
  'models',
  'organization',
  'organization_id',
  'project_id',
  'route',
  'user_config',
  // Credentials.
  'access_token',
  'api_key',
  'api_keys',
  'auth',
  'authorization',
  'auth_token',
  'bearer_token',
  'credential_name',
  'credentials',
  'virtual_key',
  'x_api_key',
  // Extra content of the request.
  'default_headers',
  'default_query',
  'extra_body',
  'extra_headers',
  'extra_query',
  'headers',
  'http_client',
  // Timeouts and retries.
  'allowed_fails',
  'content_policy_fallbacks',
  'context_window_fallbacks',
  'default_fallbacks',
  'fallbacks',
  'max_retries',
  'num_retries',
  'request_timeout',
  'retry_policy',
  'stream_timeout',
  'timeout',
  // Callbacks.
  'callbacks',
  'failure_callback',
  'success_callback',
]);

const DENIED_PREFIX = /^(?:aws|azure|langfuse|litellm|mock|sagemaker|vertex|watsonx)_/;

/** Longer than every name above; only this much of a name is examined. */
const LONGEST = 64;

/** Keys that could reach an object's prototype through careless merging or copying. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function isDeniedField(name: string): boolean {
  const snake = snakeCase(name.slice(0, LONGEST));
  return PROTOTYPE_KEYS.has(name) || DENIED_FIELDS.has(snake) || DENIED_PREFIX.test(snake);
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}
