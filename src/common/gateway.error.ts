export interface ErrorBody {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

export class GatewayError extends Error {
  /** The content of the message for programs; only some formats have a field for it. */
  readonly details: Readonly<Record<string, unknown>> | null = null;
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
