/** OpenTelemetry's attribute names from its conventions for generative AI, which are not stable yet. */
export const SPAN = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  stream: 'gen_ai.request.stream',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  httpStatus: 'http.response.status_code',
  errorType: 'error.type',
  /** The gateway's own. */
  requestId: 'gateway.request_id',
  status: 'gateway.call.status',
  /** From admission to the first piece of the answer. */
  firstToken: 'gateway.call.first_token_ms',
  cost: 'gateway.call.cost_usd',
} as const;

/** `gen_ai.operation.name` of a call, by the API that the client used. */
export function operationOf(api: string): string {
  if (api === 'embeddings') return 'embeddings';
  return api === 'completions' ? 'text_completion' : 'chat';
}
