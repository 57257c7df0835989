import { type GatewayError, gatewayError, invalidRequest } from '../../common/gateway.error.js';
import type { Model } from '../../models/model.types.js';
import type { EmbeddingBody } from '../../upstreams/contract/native.body.js';
import type { TokenCounter } from '../../upstreams/tokens/token-counter.js';

/** Tokens are only counted if a text could have too many at this rate. Denser texts are rare; upstreams refuse them. */
const BYTES_PER_TOKEN = 2;

/** Rejects with a `GatewayError` 400 if the model cannot serve the request. `isList`: `input` is a list of inputs. */
export async function checkAgainst(
  model: Pick<Model, 'dimensions' | 'maxInputTokens'>,
  { inputs, dimensions }: EmbeddingBody,
  isList: boolean,
  tokens: Pick<TokenCounter, 'count'>,
): Promise<void> {
  const { dimensions: most, maxInputTokens } = model;
  if (dimensions !== null && most !== null && dimensions > most) {
    const message = `Invalid value for 'dimensions': expected an integer from 1 to ${most}, got ${dimensions}.`;
    throw invalidRequest('invalid_value', 'dimensions', message);
  }
  if (maxInputTokens === null) return;
  for (const [index, input] of inputs.entries()) {
    const count = typeof input === 'string' ? await countText(input, maxInputTokens, tokens) : input.length;
    if (count > maxInputTokens) throw tooLong(isList ? `input[${index}]` : 'input', count, maxInputTokens);
  }
}

async function countText(text: string, most: number, tokens: Pick<TokenCounter, 'count'>): Promise<number> {
  const bytes = Buffer.byteLength(text);
  return bytes <= most * BYTES_PER_TOKEN ? 0 : tokens.count(text);
}

function tooLong(param: string, count: number, most: number): GatewayError {
  const message = `The model accepts inputs of at most ${most} tokens, but '${param}' has ${count}. Split the text.`;
  return gatewayError(400, 'context_length_exceeded', message, { param });
}
