import { describe, expect, it } from '@jest/globals';
import { overflowInAnthropicsWords, overflowInOpenAisWords } from '../../common/gateway.error.js';
import { saysContextTooLong, toContextOverflow } from './context-overflow.js';

const ESTIMATED = 90_000;
const CONTEXT = 100_000;
/** What is known where the message has no numbers. */
const UNKNOWN = [100_001, CONTEXT] as const;

/** The tokens and the maximum that each message has. */
const MESSAGES: readonly (readonly [who: string, message: string, tokens: number, maximum: number])[] = [
  [
    'OpenAI, Azure',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
    9001,
    8192,
  ],
  [
    'OpenAI, newer models',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300008 tokens. Please reduce the length of the messages.',
    300_008,
    272_000,
  ],
  [
    "OpenAI's Responses",
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ...UNKNOWN,
  ],
  ['Anthropic', 'prompt is too long: 214341 tokens > 200000 maximum', 214_341, 200_000],
  [
    'Anthropic with max_tokens',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
    210_000,
    200_000,
  ],
  [
    'Gemini',
    'The input token count (1248576) exceeds the maximum number of tokens allowed (1048576).',
    1_248_576,
    1_048_576,
  ],
  [
    'Vertex',
    'Unable to submit request because the input token count is 1248576 but model only supports up to 1048576. Reduce the input token count and try again.',
    1_248_576,
    1_048_576,
  ],
  ['Bedrock', 'Input is too long for requested model.', ...UNKNOWN],
  [
    'Bedrock, Nova',
    'Too many input tokens. Max input tokens: 128000, request input token count: 150001',
    150_001,
    128_000,
  ],
  ['Bedrock, Llama', 'Input Tokens Exceeded: Number of input tokens exceeds maximum length.', ...UNKNOWN],
  [
    'Mistral',
    'Prompt contains 90000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    90_000,
    32_768,
  ],
  [
    'Cohere',
    'too many tokens: size limit exceeded by 168512 tokens. The limit for this model is 132000 tokens.',
    300_512,
    132_000,
  ],
  [
    'Cohere, older models',
    'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.',
    4292,
    4081,
  ],
  [
    'vLLM, DeepSeek',
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4900 in the messages, 100 in the completion). Please reduce the length of the messages or completion.",
    4900,
    4096,
  ],
  [
    'vLLM, newer',
    "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages.",
    5000,
    4096,
  ],
  ['Groq', 'Please reduce the length of the messages or completion.', ...UNKNOWN],
  [
    'Cerebras',
    'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
    9000,
    8192,
  ],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 200000 tokens.", 200_000, 131_072],
  [
    'OpenRouter',
    'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 140000 tokens (139000 of text input, 1000 in the output). Please reduce the length of either one, or use the "middle-out" transform.',
    139_000,
    131_072,
  ],
  [
    'Together',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 100 `max_new_tokens`',
    9000,
    8193,
  ],
  [
    'llama.cpp',
    'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
    5000,
    4096,
  ],
  ['SGLang', "The input (5000 tokens) is longer than the model's context length (4096 tokens).", 5000, 4096],
  [
    'LM Studio',
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    5000,
    4096,
  ],
  ['Fireworks', 'The prompt is too long: 140000, model maximum context length: 131072', 140_000, 131_072],
  ['Moonshot', 'Your request exceeded model token limit: 262144 (requested: 300000)', 300_000, 262_144],
  ['MiniMax', 'invalid params, context window exceeds limit (2013)', ...UNKNOWN],
  ['Z.ai', 'Prompt exceeds max length', ...UNKNOWN],
  ['DashScope', 'Range of input length should be [1, 98304]', 98_305, 98_304],
  ['GitHub', 'prompt token count of 140000 exceeds the limit of 128000', 140_000, 128_000],
];

describe('a prompt that exceeds the context', () => {
  it.each(MESSAGES)('is recognized in the words of %s, with their numbers: %s', (_who, message, tokens, maximum) => {
    expect(saysContextTooLong(message)).toBe(true);
    expect(toContextOverflow(message, ESTIMATED, CONTEXT)).toEqual({ message, tokens, maximum });
  });

  it.each([
    'max_tokens: 9 > 8, which is the maximum allowed number of output tokens',
    'The maximum tokens you requested exceeds the model limit of 10000. Try with a lower maxTokens.',
    'too many tokens: max tokens must be less than or equal to 4096',
    'Too many tokens per day, please wait before trying again.',
    'Too many tools',
    'tools.0.name: string too long. Expected a string with maximum length 64, but got a string with length 70',
  ])('is not recognized in %s', (message) => {
    expect(saysContextTooLong(message)).toBe(false);
  });

  it('has our estimate where it is higher than the maximum', () => {
    expect(toContextOverflow('Prompt exceeds max length', 130_000, CONTEXT)).toMatchObject({ tokens: 130_000 });
  });

  it.each([
    ['prompt is too long: 3 tokens > 2 maximum', 'prompt is too long: 3 tokens > 2 maximum'],
    [
      'input length and `max_tokens` exceed context limit: 1 + 2 > 2, decrease them',
      'input length and `max_tokens` exceed context limit: 1 + 2 > 2, decrease them',
    ],
    ['Prompt exceeds max length', 'prompt is too long: 3 tokens > 2 maximum'],
  ])("a prompt that exceeds the context in Anthropic's words for %s is %s", (message, words) => {
    expect(overflowInAnthropicsWords({ message, tokens: 3, maximum: 2 })).toBe(words);
  });

  it.each([
    [
      "This model's maximum context length is 2 tokens. More.",
      "This model's maximum context length is 2 tokens. More.",
    ],
    [
      'prompt is too long: 3 tokens > 2 maximum',
      "This model's maximum context length is 2 tokens. However, your messages resulted in 3 tokens. Please reduce the length of the messages.",
    ],
  ])("a prompt that exceeds the context in OpenAI's words for %s is %s", (message, words) => {
    expect(overflowInOpenAisWords({ message, tokens: 3, maximum: 2 })).toBe(words);
  });
});
