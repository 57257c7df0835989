/** The four fields of an error body; the format is OpenAI's: `{"error":{"message","type","param","code"}}`. */
export interface ErrorBody {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

/** What a client is told when a request fails: an HTTP status, OpenAI's error body and the headers that go with it. */
export class GatewayError extends Error {
  private told: string | undefined;

  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(body.message, options);
    this.name = 'GatewayError';
  }

  /** What is sent of it. */
  get text(): string {
    this.told ??= JSON.stringify({ error: this.body });
    return this.told;
  }
}

/** 400: the request breaks the format; `param` is the path of the field at fault, for example `messages[0].content`. */
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
  return new GatewayError(400, { message, type: 'invalid_request_error', param, code });
}
