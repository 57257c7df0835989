import { invalidRequest } from '../../common/gateway.error.js';
import type { ChatCompletion } from '../contract/chat.types.js';
import { completionOf } from '../contract/envelope.js';
import type { EmbeddingBody } from '../contract/native.body.js';
import type {
  EmbeddingsApi,
  NativeApi,
  ProviderAdapter,
  ProviderCall,
  ProviderRequest,
  UpstreamHeaders,
} from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { embeddingEntries } from './embedding-entries.js';
import { parseWithLists, type ResponseWithLists } from './number-lists.js';

/** A low estimate: few texts have fewer. */
const CHARACTERS_PER_TOKEN = 3;

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
    return this.api.toRequest(call, this.body);
  }

  split(): readonly EmbeddingBody[] {
    const { mostTokens = Number.POSITIVE_INFINITY } = this.api;
    const { inputs, encoding } = this.body;
    const mostInputs = encoding === 'float' ? Math.min(this.api.mostInputs, MAX_IN_NUMBERS) : this.api.mostInputs;
    const parts: EmbeddingBody[] = [];
    let start = 0;
    let sum = 0;
    for (const [index, input] of inputs.entries()) {
      const tokens = typeof input === 'string' ? input.length / CHARACTERS_PER_TOKEN : input.length;
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

  fromResponse(text: string, call: ProviderCall): ChatCompletion {
    const { value, listOf } = parsed(text);
    const { vectors, inputTokens } = this.api.fromResponse(value);
    if (vectors.length !== this.body.inputs.length) throw new UpstreamError({ status: 502 });
    const completion = completionOf(call, [], inputTokens === undefined ? undefined : usageOf(inputTokens));
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
