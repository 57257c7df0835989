import { type Fault, faultAt, wrongType, wrongValue } from '../../completions/dto/fault.js';
import type { EmbeddingBody } from '../../upstreams/contract/native.body.js';

export const EXPECTED_INPUT = 'a text, a list of texts, a list of token ids, or a list of such lists';

const MAX_INPUTS = 2048;
const TEXT = 'a non-empty string';
const TOKENS = 'a non-empty list of token ids';
const TOKEN = 'a token id of at least 0';

export interface Inputs {
  readonly list: EmbeddingBody['inputs'];
}

/** `input` as a list of texts or of token lists. The path of a fault is relative to `input`. */
export function inputsOf(input: unknown): Inputs | Fault {
  if (typeof input === 'string') return input === '' ? wrongValue(TEXT, 'an empty string') : { list: [input] };
  if (!Array.isArray(input)) return wrongType(EXPECTED_INPUT, input);
  const [first] = input;
  if (first === undefined) return wrongValue('a list that is not empty', 'an empty list');
  if (typeof first === 'number') return tokensFault(input) ?? { list: [input] };
  if (input.length > MAX_INPUTS) return wrongValue(`at most ${MAX_INPUTS} inputs`, String(input.length));
  const faultOf = Array.isArray(first) ? tokensFault : textFault;
  for (const [index, one] of input.entries()) {
    const fault = faultOf(one);
    if (fault) return faultAt(`[${index}]`, fault);
  }
  return { list: input };
}

function textFault(value: unknown): Fault | null {
  if (typeof value !== 'string') return wrongType(TEXT, value);
  return value === '' ? wrongValue(TEXT, 'an empty string') : null;
}

function tokensFault(value: unknown): Fault | null {
  if (!Array.isArray(value)) return wrongType(TOKENS, value);
  if (value.length === 0) return wrongValue(TOKENS, 'an empty list');
  const index = value.findIndex((token) => !Number.isSafeInteger(token) || token < 0);
  return index < 0 ? null : faultAt(`[${index}]`, wrongType(TOKEN, value[index]));
}
