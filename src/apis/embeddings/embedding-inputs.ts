import type { Check } from '../../completions/dto/checks.js';
import { type Fault, faultAt, wrongType, wrongValue } from '../../completions/dto/fault.js';
import type { EmbeddingBody } from '../../upstreams/contract/native.body.js';

const EXPECTED = 'a text, a list of texts, a list of token ids, or a list of such lists';
const MAX_INPUTS = 2048;
const TEXT = 'a non-empty string';
const TOKENS = 'a non-empty list of token ids';
const TOKEN = 'a token id of at least 0';

export const input: Check = {
  schema: {},
  expected: EXPECTED,
  faultIn(value) {
    if (typeof value === 'string') return textFault(value);
    if (!Array.isArray(value)) return wrongType(EXPECTED, value);
    const [first] = value;
    if (first === undefined) return wrongValue('a list that is not empty', 'an empty list');
    if (typeof first === 'number') return tokensFault(value);
    if (value.length > MAX_INPUTS) return wrongValue(`at most ${MAX_INPUTS} inputs`, String(value.length));
    const faultOf = Array.isArray(first) ? tokensFault : textFault;
    for (const [index, one] of value.entries()) {
      const fault = faultOf(one);
      if (fault) return faultAt(`[${index}]`, fault);
    }
    return null;
  },
};

/** A valid `input` as a list of texts or of token lists. */
export function inputsOf(valid: string | EmbeddingBody['inputs'] | readonly number[]): EmbeddingBody['inputs'] {
  if (typeof valid === 'string') return [valid];
  return typeof valid[0] === 'number' ? [valid as readonly number[]] : (valid as EmbeddingBody['inputs']);
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
