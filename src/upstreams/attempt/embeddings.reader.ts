import { randomBytes } from 'node:crypto';
import { invalidRequest } from '../../common/gateway.error.js';
import type { ChatCompletion, Vector } from '../contract/chat.types.js';
import { completionOf } from '../contract/chunk.reader.js';
import type { EmbeddingBody, NativeBody } from '../contract/native.body.js';
import type {
  EmbeddingsApi,
  NativeApi,
  ProviderAdapter,
  ProviderCall,
  ProviderRequest,
  UpstreamHeaders,
} from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';

/** A low estimate: few texts have fewer, in any script. */
const BYTES_PER_TOKEN = 3;

/** The maximum number of vectors in one answer if they are written as numbers, with up to 100 kB each. */
const MAX_IN_NUMBERS = 512;

/** Sends a request for embeddings as one or several requests to an upstream, and joins their answers. */
export class EmbeddingsReader implements NativeApi {
  readonly framing = 'sse';

  constructor(
    private readonly api: EmbeddingsApi,
    private readonly adapter: ProviderAdapter,
    private readonly body: EmbeddingBody,
  ) {}

  toRequest(call: ProviderCall): ProviderRequest {
    if (!this.api.takesTokens && typeof this.body.inputs[0] !== 'string') {
      const message = 'This model accepts only text. Send the text instead of its tokens.';
      throw invalidRequest('unsupported_value', 'input', message);
    }
    return this.api.toRequest(call, this.isManyNumbers ? { ...this.body, encoding: 'base64' } : this.body);
  }

  split(): readonly EmbeddingBody[] {
    const { mostTokens = Number.POSITIVE_INFINITY, takesBase64 = false } = this.api;
    const { inputs } = this.body;
    const mostInputs =
      this.isManyNumbers && !takesBase64 ? Math.min(this.api.mostInputs, MAX_IN_NUMBERS) : this.api.mostInputs;
    const parts: EmbeddingBody[] = [];
    let start = 0;
    let sum = 0;
    for (const [index, input] of inputs.entries()) {
      const tokens = tokensOf(input);
      const isFull = index - start === mostInputs || sum + tokens > mostTokens;
      if (isFull && index > start) {
        parts.push(partOf(this.body, start, index));
        start = index;
        sum = 0;
      }
      sum += tokens;
    }
    return start === 0 ? [this.body] : [...parts, partOf(this.body, start, inputs.length)];
  }

  readonly join = joined;

  estimate(part: NativeBody): number {
    const inputs: EmbeddingBody['inputs'] = part.api === 'embeddings' ? part.inputs : [];
    return inputs.reduce<number>((sum, input) => sum + tokensOf(input), 0);
  }

  /** Whether the client wants more vectors as numbers than one answer may have. */
  private get isManyNumbers(): boolean {
    return this.body.encoding === 'float' && this.body.inputs.length > MAX_IN_NUMBERS;
  }

  fromResponse(text: string, call: ProviderCall): ChatCompletion {
    const { value, listOf } = parsed(text);
    const { vectors, inputTokens } = this.api.fromResponse(value);
    const usage = inputTokens === undefined ? undefined : usageOf(inputTokens);
    if (vectors.length !== this.body.inputs.length) throw new UpstreamError({ status: 502, usage });
    const completion = completionOf(call, [], usage);
    return { ...completion, nativeText: embeddingEntries(vectors, this.body, listOf) };
  }

  /** Never called, as embeddings are not streamed. */
  fromStream(): never {
    throw new Error('embeddings are not streamed');
  }

  /** Nothing can be left out. */
  withoutRefused(): null {
    return null;
  }

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
    return this.adapter.toError(status, headers, body, call);
  }
}

function tokensOf(input: string | readonly number[]): number {
  return typeof input === 'string' ? Math.ceil(Buffer.byteLength(input) / BYTES_PER_TOKEN) : input.length;
}

/** Adds up the usage of all answers; unknown if that of any answer is unknown. */
function joined(answers: readonly ChatCompletion[]): ChatCompletion {
  const [first] = answers;
  if (first === undefined) throw new Error('no answers to join');
  const { usage: _, ...envelope } = first;
  const isReported = answers.every(({ usage }) => usage !== undefined);
  const tokens = answers.reduce((sum, { usage }) => sum + (usage?.prompt_tokens ?? 0), 0);
  return {
    ...envelope,
    nativeText: answers.map(({ nativeText }) => nativeText).join(','),
    ...(isReported && { usage: usageOf(tokens) }),
  };
}

function partOf(body: EmbeddingBody, from: number, to: number): EmbeddingBody {
  return { ...body, inputs: body.inputs.slice(from, to) as EmbeddingBody['inputs'], offset: from };
}

function usageOf(tokens: number) {
  return { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
}

function parsed(text: string): ResponseWithLists {
  try {
    return parseWithLists(text);
  } catch {
    throw new UpstreamError({ status: 502 });
  }
}

const BYTES_PER_NUMBER = 4;

/**
 * The entries of `data` in OpenAI's format, as JSON text without the enclosing brackets. Vectors that do not have the
 * requested encoding are converted. `listOf`: the JSON text of vectors that were not parsed.
 */
export function embeddingEntries(
  vectors: readonly Vector[],
  { encoding, offset }: Pick<EmbeddingBody, 'encoding' | 'offset'>,
  listOf: ResponseWithLists['listOf'] = () => undefined,
): string {
  const write = encoding === 'base64' ? base64Json : numbersJson;
  return vectors
    .map(
      (vector, index) =>
        `{"object":"embedding","index":${offset + index},"embedding":${write(vector, listOf(vector))}}`,
    )
    .join(',');
}

function numbersJson(vector: Vector, list: string | undefined): string {
  return list ?? JSON.stringify(typeof vector === 'string' ? fromBase64(vector) : vector);
}

function base64Json(vector: Vector, list: string | undefined): string {
  const numbers: Vector = list === undefined ? vector : (JSON.parse(list) as number[]);
  return JSON.stringify(typeof numbers === 'string' ? numbers : toBase64(numbers));
}

/** Little-endian 32-bit floats. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(vector.length * BYTES_PER_NUMBER);
  for (let index = 0; index < vector.length; index++) bytes.writeFloatLE(vector[index] ?? 0, index * BYTES_PER_NUMBER);
  return bytes.toString('base64');
}

function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % BYTES_PER_NUMBER !== 0) throw new UpstreamError({ status: 502 });
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_PER_NUMBER) numbers.push(bytes.readFloatLE(at));
  return numbers;
}

/** Replaces a list while the surrounding JSON is parsed. It is secret, so upstreams cannot send it. */
const MARK = randomBytes(18).toString('base64url');

/** Shorter lists are parsed as usual. */
const LONG_LIST = /\[[\s\d.,eE+-]{64,}\]/g;

const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const VALID_LIST = new RegExp(`^\\[\\s*${NUMBER}(?:\\s*,\\s*${NUMBER})*\\s*\\]$`);

/** A response whose long lists of numbers stay text, as parsing and writing vectors takes three times as long. */
interface ResponseWithLists {
  /** The parsed response, with a text instead of each long list. */
  readonly value: unknown;
  /** The JSON text of the list that this value replaces; undefined: it replaces none. */
  listOf(value: unknown): string | undefined;
}

/** Throws a `SyntaxError` if the text is not JSON. */
export function parseWithLists(text: string): ResponseWithLists {
  const lists: string[] = [];
  const rest = text.replace(LONG_LIST, (list) => `"${MARK}${lists.push(list) - 1}"`);
  const listOf = (value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? lists[Number(value.slice(MARK.length))] : undefined;
  try {
    const value: unknown = JSON.parse(rest);
    if (lists.every((list) => VALID_LIST.test(list))) return { value, listOf };
  } catch {
    // A list within a string: the whole is parsed below.
  }
  return { value: JSON.parse(text), listOf: () => undefined };
}
