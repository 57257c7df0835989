export interface ErrorBody {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

export class GatewayError extends Error {
  /** The content of the message for programs; only some formats have a field for it. */
  readonly details: Readonly<Record<string, unknown>> | null = null;
  /** For formats that word it in their own way. */
  readonly overflow: ContextOverflow | null = null;
  private json: string | undefined;

  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(body.message, options);
    this.name = 'GatewayError';
  }

  /** The same error with other fields or more headers. */
  with(body: Partial<ErrorBody>, headers: Readonly<Record<string, string>> = {}): GatewayError {
    const { status, details, overflow } = this;
    const error = new GatewayError(status, { ...this.body, ...body }, { ...this.headers, ...headers }, { cause: this });
    return Object.assign(error, { details, overflow });
  }

  /** The same error with the path of the field in another form of the request. */
  inForm(pathOf: (path: string) => string): GatewayError {
    const { param, message } = this.body;
    const path = param === null ? null : pathOf(param);
    return path === param ? this : this.with({ param: path, message: message.replaceAll(`'${param}'`, `'${path}'`) });
  }

  /** The response body. */
  get text(): string {
    this.json ??= JSON.stringify({ error: this.body });
    return this.json;
  }
}

/** An error in OpenAI's format, whose type follows from its status. */
export function gatewayError(
  status: number,
  code: string,
  message: string,
  { param = null, headers = {} }: { param?: string | null; headers?: Record<string, string> } = {},
): GatewayError {
  return new GatewayError(status, { message, type: typeOf(status), param, code }, headers);
}

function typeOf(status: number): string {
  if (status >= 500) return 'server_error';
  if (status === 429) return 'requests';
  return status === 403 ? 'permission_error' : 'invalid_request_error';
}

/** 400: the request is invalid; `param` is the path of the invalid field, for example `messages[0].content`. */
export function invalidRequest(
  code:
    | 'invalid_json'
    | 'invalid_type'
    | 'missing_required_parameter'
    | 'invalid_value'
    | 'unsupported_value'
    | 'unsupported_parameter',
  param: string | null,
  message: string,
): GatewayError {
  return gatewayError(400, code, message, { param });
}

// Errors used in several places; docs/api.md lists each.

export function unknownUrl(hint = 'The API begins at /v1.'): GatewayError {
  return gatewayError(404, 'unknown_url', `There is nothing at this URL. ${hint}`);
}

export function undecodableModel(): GatewayError {
  const message = 'The model in this URL does not exist: its id cannot be decoded. Encode a % sign as %25.';
  return gatewayError(404, 'model_not_found', message);
}

/** `name`: of a model that the caller may use, but not by this API. */
export function modelNotSupported(name: string, kind: 'chat' | 'embedding'): GatewayError {
  const message =
    kind === 'embedding'
      ? `The model '${name}' is an embedding model. Call it at POST /v1/embeddings, or choose another model here.`
      : `The model '${name}' is not an embedding model. Choose a model whose kind is 'embedding' at GET /v1/models.`;
  return gatewayError(400, 'model_not_supported', message, { param: 'model' });
}

export function notFound(message: string): GatewayError {
  return gatewayError(404, 'not_found', message);
}

export function methodNotSupported(allowed: readonly string[]): GatewayError {
  const allow = allowed.join(', ');
  const message = `This URL does not support this method. Supported methods: ${allow}.`;
  return gatewayError(405, 'method_not_supported', message, { headers: { allow } });
}

export function webSocketNotSupported(): GatewayError {
  const message =
    'WebSockets are not supported: send an HTTP POST, with `stream: true` for events. Turn WebSockets off in your client.';
  return gatewayError(426, 'websocket_not_supported', message, { headers: { upgrade: 'HTTP/1.1' } });
}

export function invalidApiKey(message: string): GatewayError {
  return gatewayError(401, 'invalid_api_key', message, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Only for unknown keys; `ms`: until the next unknown key is looked up. */
export function tooManyUnknownKeys(ms: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const message = `Too many unknown API keys came from your network. Check your client's key, and try again in ${seconds} s.`;
  const headers = { 'retry-after': String(seconds), 'retry-after-ms': String(seconds * 1000) };
  return gatewayError(429, 'rate_limit_exceeded', message, { headers });
}

export function ownerDisabled(): GatewayError {
  const message = "The account of this API key's owner is disabled. Ask an administrator to enable it.";
  return gatewayError(403, 'insufficient_permissions', message);
}

export function projectArchived(): GatewayError {
  const message = 'The project of this API key is archived.';
  return gatewayError(403, 'insufficient_permissions', message);
}

export function addressNotAllowed(): GatewayError {
  return gatewayError(403, 'ip_not_allowed', 'This API key may not be used from this address.');
}

export function requestTooLarge(limitBytes: number): GatewayError {
  const remedy = limitBytes >= 1024 ** 2 ? 'Send less, or smaller images.' : 'Send less.';
  return gatewayError(413, 'request_too_large', `The request body is larger than ${toSize(limitBytes)}. ${remedy}`);
}

function toSize(bytes: number): string {
  return bytes >= 1024 ** 2 ? `${Math.floor(bytes / 1024 ** 2)} MB` : `${Math.floor(bytes / 1024)} kB`;
}

export function tooCompressed(ratio: number): GatewayError {
  const message = `The request body is compressed to less than 1/${ratio} of its size. Send it with less compression or uncompressed.`;
  return gatewayError(413, 'request_too_large', message);
}

const IN_A_SECOND = { 'retry-after': '1', 'retry-after-ms': '1000' };

/** The key's requests use their share of memory. */
export function tooManyBodyBytes(bytes: number): GatewayError {
  const most = `The requests in progress of this key's owner use the maximum amount of memory, ${toSize(bytes)}.`;
  const message = `${most} Please try again when some of them have been answered.`;
  return gatewayError(429, 'rate_limit_exceeded', message, { headers: IN_A_SECOND });
}

export function bodyTooSlow(): GatewayError {
  return gatewayError(408, 'request_timeout', 'The request body took too long to arrive. Please send it again.', {
    headers: { connection: 'close' },
  });
}

export function overloaded(): GatewayError {
  const message = 'The gateway is overloaded. Please try again in a few seconds.';
  return gatewayError(503, 'overloaded', message, { headers: IN_A_SECOND });
}

export function uriTooLong(): GatewayError {
  return gatewayError(414, 'uri_too_long', 'The URL is too long.');
}

export function unsupportedMediaType(): GatewayError {
  const message =
    'The body must be JSON in UTF-8, uncompressed or compressed with gzip, deflate, br or zstd: send `Content-Type: application/json`.';
  return gatewayError(415, 'unsupported_media_type', message);
}

export function headersTooLarge(): GatewayError {
  return gatewayError(431, 'headers_too_large', 'The request headers are too large.');
}

export function malformedHttp(): GatewayError {
  return gatewayError(400, 'invalid_request', 'The request is not well-formed HTTP.');
}

export function unreadableBody(): GatewayError {
  return gatewayError(400, 'invalid_request', 'The request body ended early or cannot be decompressed.');
}

export function serviceUnavailable(message: string): GatewayError {
  return gatewayError(503, 'service_unavailable', message, { headers: { 'retry-after': '1' } });
}

export function internalError(): GatewayError {
  return gatewayError(500, 'internal_error', 'The gateway failed to serve this request. Please try again.');
}

/** A prompt that exceeds the model's context. Clients compact the conversation on the exact words of their API. */
export interface ContextOverflow {
  readonly tokens: number;
  readonly maximum: number;
  /** The upstream's own message. */
  readonly message: string;
}

const OPENAIS = /\bmodel's maximum context length is \d/i;
/** Also for a prompt that fits, but not together with `max_tokens`. Claude Code lowers `max_tokens` then. */
const ANTHROPICS = /^prompt is too long: \d+ tokens > \d|^input length and `max_tokens` exceed context limit: \d/;

/** An upstream's message that already has the words is kept, as it may say more. */
export function overflowInOpenAisWords({ tokens, maximum, message }: ContextOverflow): string {
  if (OPENAIS.test(message)) return message;
  return `This model's maximum context length is ${maximum} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
}

export function overflowInAnthropicsWords({ tokens, maximum, message }: ContextOverflow): string {
  return ANTHROPICS.test(message) ? message : `prompt is too long: ${tokens} tokens > ${maximum} maximum`;
}

/** Codes of Postgres (no connection, too many connections, stopping or starting) and of the network (unreachable). */
const CODES =
  /^(08\w{3}|53300|57P0[1-5]|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Messages of the driver, whose own errors have no code. */
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/;

/** An error of the driver, or TypeORM's wrapper around it. */
type Fault = Partial<NodeJS.ErrnoException & { driverError: unknown }>;

/** Whether a query failed because the database is unavailable, and not because of the query. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, syscall, message = '', driverError } = error as Fault;
  if (driverError !== undefined) return isDatabaseUnavailable(driverError);
  if (code === undefined) return MESSAGES.test(message);
  return CODES.test(code) && (code !== 'ENOENT' || syscall === 'connect');
}
