const RATES = ['requests', 'tokens'].flatMap((kind) =>
  ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${kind}`),
);

/**
 * The response headers under /v1 that clients use; pages of other origins may read them. If a header is missing here,
 * `test/cors.e2e-spec.ts` or `answer-headers.spec.ts` fails.
 */
export const ANSWER_HEADERS: readonly string[] = [
  'x-request-id',
  'request-id',
  'openai-processing-ms',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'www-authenticate',
  ...RATES,
  'x-gateway-attempts',
  'x-gateway-content-log',
  'x-gateway-fallback-from',
  'x-gateway-idempotent-replay',
  'x-gateway-ignored-parameters',
  'x-gateway-output-ceiling',
];
