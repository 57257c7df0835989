import {
  type Check,
  faultAt,
  flag,
  integer,
  numberBetween,
  text,
  wrongType,
  wrongValue,
} from '../../completions/formats/checks.js';
import { logitBias, stop, streamOptions } from '../../completions/formats/option.checks.js';
import { nullable, required, shape } from '../../completions/formats/structure.checks.js';
import { modelId } from '../shared/checked-body.js';

const PROMPT = 'a text, a list of texts, a list of token ids, or a list of such lists';
const MAX_PROMPTS = 128;

const prompt: Check = {
  schema: {},
  expected: PROMPT,
  faultIn(value) {
    if (typeof value === 'string') return null;
    if (!Array.isArray(value)) return wrongType(PROMPT, value);
    const [first] = value;
    if (first === undefined) return wrongValue('a list that is not empty', 'an empty list');
    if (typeof first !== 'number' && value.length > MAX_PROMPTS) {
      return wrongValue(`at most ${MAX_PROMPTS} prompts`, String(value.length));
    }
    const isSame = kindTest(first);
    const wrong = value.findIndex((one) => !isSame(one));
    return wrong < 0 ? null : faultAt(`[${wrong}]`, wrongType('the same type as the first element', value[wrong]));
  },
};

function kindTest(first: unknown): (one: unknown) => boolean {
  if (typeof first === 'number') return isToken;
  if (Array.isArray(first)) return (one) => Array.isArray(one) && one.length > 0 && one.every(isToken);
  return (one) => typeof one === 'string';
}

function isToken(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Source: OpenAI's published OpenAPI document, `CreateCompletionRequest`. */
const FIELDS = {
  model: required(modelId),
  prompt: required(prompt),
  suffix: nullable(text()),
  max_tokens: nullable(integer(0)),
  temperature: nullable(numberBetween(0, 2)),
  top_p: nullable(numberBetween(0, 1)),
  n: nullable(integer(1, 128)),
  best_of: nullable(integer(0, 20)),
  stream: nullable(flag),
  stream_options: nullable(streamOptions),
  logprobs: nullable(integer(0, 5)),
  echo: nullable(flag),
  stop: nullable(stop),
  presence_penalty: nullable(numberBetween(-2, 2)),
  frequency_penalty: nullable(numberBetween(-2, 2)),
  logit_bias: nullable(logitBias),
  seed: nullable(integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
  user: nullable(text()),
};

export const textCompletionRequest = shape(FIELDS);

/** A set, as a body may contain names of inherited properties. */
export const TEXT_COMPLETION_FIELDS: ReadonlySet<string> = new Set(Object.keys(FIELDS));

export interface TextCompletionRequest {
  readonly model: string;
  readonly prompt: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
  readonly suffix?: string | null;
  readonly max_tokens?: number | null;
  readonly n?: number | null;
  readonly best_of?: number | null;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly [field: string]: unknown;
}
