import { expect } from '@jest/globals';
import type { ApiRow } from './api-table.js';
import { eventually } from './eventually.js';
import type { Script, Step } from './script.js';
import { ScriptedUpstream } from './scripted-upstream.js';
import { TestGateway, type TestUser } from './test-gateway.js';

export const UPSTREAM_KEY = 'sk-upstream-7be2a1';
export const PROMPT = 'My secret question.';
/** As many bytes as the embedding models have dimensions. */
export const TEXTS = ['Hello', ' there!'] as const;
/** The cost of a call with the usage of `USAGE`. */
export const COST_NANODOLLARS = { chat: '41000', embeddings: '11000' };

const PROTOCOLS = { openai: 'openai', compatible: 'openai-compatible', anthropic: 'anthropic', embed: 'openai' };

/**
 * `…`: served by `a`; `…-two`: by `a`, then `b`; `…-main`: by `a`, with the fallback `…-spare` on `b`; `…-hedged`: by
 * `a`, after 150 ms by `b`; `…-quick`: by `a`, which must begin to answer in 100 ms; `…-idle`: by `a`, which must not
 * pause for 400 ms; `…-hidden`: of another plan.
 */
function models(): string {
  return Object.keys(PROTOCOLS)
    .flatMap((name) => {
      const at = (server: string, priority = 1) => `{ upstream: ${server}-${name}, model: up, priority: ${priority} }`;
      const line = (id: string, targets: string, more = '', tier = 'free') =>
        `- { id: ${name}${id}, tier: ${tier}, ${kindOf(name)}, targets: [${targets}]${more} }\n`;
      return [
        line('', at('a')),
        line('-two', `${at('a')}, ${at('b', 2)}`),
        line('-main', at('a'), `, fallback: [${name}-spare]`),
        line('-spare', at('b')),
        line('-hedged', `${at('a')}, ${at('b', 2)}`, ', hedge: { after: 150ms }'),
        line('-quick', at('quick')),
        line('-idle', at('idle')),
        line('-hidden', at('a'), '', 'pro'),
      ];
    })
    .join('');
}

function kindOf(name: string): string {
  const names = `displayName: M, description: D`;
  if (name === 'embed') {
    return `${names}, kind: embedding, dimensions: 12, maxInputTokens: 1000, price: { inputUsdPerMTok: 1 }`;
  }
  return `${names}, contextLength: 100000, maxOutputTokens: 5000, price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }`;
}

const CLOCKS: Readonly<Record<string, string>> = {
  quick: '{ head: 100ms, firstEvent: 100ms }',
  idle: '{ idle: 400ms }',
};

function upstreams(urls: Readonly<Record<string, string>>): string {
  return Object.entries(PROTOCOLS)
    .flatMap(([name, protocol]) =>
      Object.entries(urls).map(([server, url]) => {
        return `${server}-${name}: { protocol: ${protocol}, baseUrl: "${url}/v1", clocks: ${CLOCKS[server] ?? '{}'} }\n`;
      }),
    )
    .join('');
}

export interface AskOptions {
  /** Behind the row's model, for example `-two`. */
  readonly variant?: string;
  readonly user?: TestUser;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** A gateway for all rows of the table, on two scripted upstreams. */
export class ApiTest {
  private constructor(
    readonly gateway: TestGateway,
    readonly user: TestUser,
    readonly a: ScriptedUpstream,
    readonly b: ScriptedUpstream,
  ) {}

  static async start(settings = 'retry: { attempts: 1 }', env: Record<string, string> = {}): Promise<ApiTest> {
    const [a, b] = [await ScriptedUpstream.start(), await ScriptedUpstream.start()];
    const servers = ['A', 'B', 'QUICK', 'IDLE'];
    const names = servers.flatMap((server) => Object.keys(PROTOCOLS).map((name) => `${server}_${name.toUpperCase()}`));
    const gateway = await TestGateway.start({
      env: { ...env, ...Object.fromEntries(names.map((name) => [`${name}_API_KEY`, UPSTREAM_KEY])) },
      config: {
        // Targets that keep failing are not set aside.
        'gateway.yaml': `${settings}\nrouting: { consecutiveFailures: 1000, minimumCalls: 1000 }`,
        'models.yaml': models(),
        'upstreams.yaml': upstreams({ a: a.url, b: b.url, quick: a.url, idle: a.url }),
      },
    });
    return new ApiTest(gateway, await gateway.createUser(), a, b);
  }

  /** Sends the row's question. */
  ask(row: ApiRow, fields: object = {}, { variant = '', ...init }: AskOptions = {}): Promise<Response> {
    const model = row.model + variant;
    return this.post(row, JSON.stringify({ ...row.client.question(model, PROMPT), ...fields }), { ...init, model });
  }

  /** Sends any body; `user: null` sends no key. */
  async post(
    { client, model: own }: ApiRow,
    body: string,
    { model = own, user = this.user, headers, signal }: PostOptions = {},
  ): Promise<Response> {
    const response = await fetch(this.gateway.url + client.path(model), {
      method: 'POST',
      headers: {
        ...client.headers,
        ...(user && client.keyHeaders(user.key.key)),
        'content-type': 'application/json',
        ...headers,
      },
      body,
      ...(signal && { signal }),
    });
    const id = response.headers.get('x-request-id');
    expect(id).toMatch(/^req_[0-9a-f]{32}$/);
    if (client.api === 'messages') expect(response.headers.get('request-id')).toBe(id);
    return response;
  }

  /** The ledger's row of a call, once closed. */
  row(response: Response): Promise<Record<string, unknown>> {
    return eventually(async () => {
      const [row] = await this.gateway.database.query<Record<string, unknown>>(
        "SELECT * FROM usage_calls WHERE request_id = $1 AND status <> 'open'",
        [response.headers.get('x-request-id')],
      );
      return row;
    });
  }
}

interface PostOptions extends Omit<AskOptions, 'variant' | 'user'> {
  readonly model?: string;
  readonly user?: TestUser | null;
}

/** The good answer of a row's upstream; `between` runs between its two texts, or before the JSON. */
export function answerOf({ wire }: ApiRow, streamed: boolean, between: readonly Step[] = []): Script {
  const [first, second] = TEXTS;
  return streamed ? wire.stream([first, ...between, second]) : [...between, wire.answer(TEXTS.join(''))];
}

/** The types of errors of the Messages API. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  409: 'invalid_request_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  502: 'api_error',
  504: 'timeout_error',
};

/** Checks the result of a stream that ended with an error event. */
export function expectStreamError({ client }: ApiRow, sse: string, { status, code }: ExpectedApiError): void {
  const { text, error, isWhole } = client.readStream(sse);
  expect({ text, isWhole }).toEqual({ text: TEXTS[0], isWhole: false });
  expect(error).toMatchObject(client.api === 'messages' ? { type: ANTHROPIC_TYPES[status] } : { code });
  expect(error?.message).toMatch(/^\S.{5,}$/);
}

interface ExpectedApiError {
  readonly status: number;
  readonly code: string;
}

/** Checks an error reply in the format of the row's API; returns its message. */
export async function expectApiError(
  { client }: ApiRow,
  response: Response,
  { status, code }: ExpectedApiError,
): Promise<string> {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ status });
  const body: unknown = JSON.parse(text);
  const { message } = client.errorOf(body);
  expect(message).toMatch(/^\S.{5,}$/);
  const error = { type: ANTHROPIC_TYPES[status], message };
  if (client.api === 'messages') {
    expect(body).toEqual({ type: 'error', error, request_id: response.headers.get('x-request-id') });
  } else {
    expect(body).toEqual({ error: expect.objectContaining({ type: expect.any(String), message, code }) });
  }
  return message;
}
