import { each, type Outcome, type RequestRow } from './request-row.js';

const question = { role: 'user' as const, content: 'Hello' };
const weather = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } };
const image = { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png', detail: 'low' as const } };

/** Dialects whose APIs refuse unknown fields; deepseek has no code of its own for them. */
const STRICT = ['mistral', 'groq', 'xai', 'together', 'ollama', 'perplexity', 'openrouter'] as const;
/** Dialects whose APIs fetch images themselves. */
const FETCHING = ['openai', 'azure', 'mistral', 'groq', 'xai', 'openrouter', 'vllm'] as const;
/** A model whose reasoning is limited by a number of tokens. */
const GEMINI_THINKS: Outcome = { sent: { generationConfig: { thinkingConfig: {} } }, model: 'gemini-2.5-flash' };
/** Those without an image detail. */
const WITHOUT_DETAIL = ['together', 'perplexity'] as const;

/** Requests to translate to dialects of OpenAI's format. */
export const DIALECT_ROWS: readonly RequestRow[] = [
  {
    name: 'a system text and a question',
    request: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    },
    outcomes: {
      openai: { sent: { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }] } },
      mistral: { sent: { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }] } },
    },
  },
  {
    name: 'an image by address, which the API fetches itself',
    request: { messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }] },
    outcomes: {
      ...each(FETCHING, { sent: { messages: [{ content: [{ type: 'text', text: 'What is this?' }, image] }] } }),
      ...each(WITHOUT_DETAIL, {
        sent: { messages: [{ content: [{}, { image_url: { url: 'https://example.com/a.png' } }] }] },
        lacks: ['messages.0.content.1.image_url.detail'],
      }),
      ollama: { refused: 'messages[0].content[1].image_url.url' },
    },
  },
  {
    name: 'fields of other APIs in parts, calls and messages',
    request: {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } } as never] },
        {
          role: 'assistant',
          content: null,
          reasoning: 'They greet me.',
          reasoning_details: [],
          cache_control: { type: 'ephemeral' },
          tool_calls: [
            {
              id: 'Nr1uNItcS',
              type: 'function',
              index: 0,
              extra_content: { google: {} },
              function: { name: 'weather', arguments: '{}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'Nr1uNItcS', content: 'sunny' },
      ],
      tools: [{ ...weather, cache_control: { type: 'ephemeral' } } as never],
    },
    outcomes: each([...STRICT, 'openai', 'azure'], {
      sent: { tools: [weather] },
      lacks: [
        'messages.1.tool_calls.0.index',
        'messages.1.tool_calls.0.extra_content',
        'messages.1.cache_control',
        'tools.0.cache_control',
      ],
    }),
  },
  {
    name: 'a mark for the cache of one API',
    request: {
      messages: [
        { role: 'user', content: [image, { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } } as never] },
      ],
    },
    outcomes: {
      openrouter: { sent: { messages: [{ content: [image, { cache_control: { type: 'ephemeral' } }] }] } },
      ...each(['openai', 'azure', 'mistral', 'vllm'], {
        sent: { messages: [{ content: [image, { type: 'text', text: 'Hi' }] }] },
        lacks: ['messages.0.content.1.cache_control'],
      }),
    },
  },
  {
    name: "OpenAI's own mark for its cache",
    request: {
      messages: [
        {
          role: 'user',
          content: [image, { type: 'text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } } as never],
        },
      ],
    },
    outcomes: {
      openai: { sent: { messages: [{ content: [image, { prompt_cache_breakpoint: { mode: 'explicit' } }] }] } },
      'openai-responses': { sent: { input: [{ content: [{}, { prompt_cache_breakpoint: { mode: 'explicit' } }] }] } },
      ...each(['azure', 'mistral', 'openrouter', 'vllm'], {
        sent: { messages: [{ content: [image, { type: 'text', text: 'Hi' }] }] },
        lacks: ['messages.0.content.1.prompt_cache_breakpoint'],
      }),
    },
  },
  {
    name: 'refusals in the history',
    request: {
      messages: [
        question,
        { role: 'assistant', content: null, refusal: 'No.' },
        question,
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'Never.' }] },
        question,
      ],
    },
    outcomes: {
      ...each(['openai', 'azure', 'openrouter'], { sent: { messages: [{}, { refusal: 'No.' }, {}, {}, {}] } }),
      ...each(['groq', 'deepseek', 'together', 'ollama'], {
        sent: { messages: [{}, { content: 'No.' }, {}, { role: 'assistant', content: 'Never.' }, {}] },
        lacks: ['messages.1.refusal'],
      }),
      ...each(['mistral', 'xai', 'vllm', 'openai-compatible'], {
        sent: { messages: [{}, { content: 'No.' }, {}, { content: [{ type: 'text', text: 'Never.' }] }, {}] },
        lacks: ['messages.1.refusal'],
      }),
    },
  },
  {
    name: 'text in parts',
    request: {
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One' },
            { type: 'text', text: 'Two' },
          ],
        },
      ],
    },
    outcomes: {
      ...each(['deepseek', 'ollama'], { sent: { messages: [{ content: 'Be brief.' }, { content: 'One\nTwo' }] } }),
      ...each(['groq', 'together'], { sent: { messages: [{ content: 'Be brief.' }, { content: [{}, {}] }] } }),
      ...each(['openai', 'mistral'], { sent: { messages: [{ content: [{}] }, {}] } }),
    },
  },
  {
    name: 'a system text after an answer, and the beginning of the next answer',
    request: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        question,
        { role: 'assistant', content: 'Hi' },
        { role: 'system', content: 'Now speak French.' },
        question,
        { role: 'assistant', content: 'Bon' },
      ],
    },
    outcomes: {
      mistral: {
        sent: {
          messages: [
            { role: 'system', content: 'Be brief.' },
            question,
            { role: 'assistant', content: 'Hi' },
            { role: 'user', content: 'Now speak French.\n\nHello' },
            { role: 'assistant', content: 'Bon', prefix: true },
          ],
        },
      },
    },
  },
  {
    name: 'a PDF, and a recording',
    request: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          ],
        },
      ],
    },
    outcomes: {
      mistral: {
        sent: {
          messages: [
            {
              content: [
                {
                  type: 'document_url',
                  document_url: 'data:application/pdf;base64,JVBERi0=',
                  document_name: 'a.pdf',
                },
                { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
              ],
            },
          ],
        },
      },
      groq: { refused: 'messages[0].content[0]' },
      'openai-responses': { refused: 'messages[0].content[1]' },
    },
  },
  {
    name: 'one stop word',
    request: { messages: [question], stop: 'END' },
    outcomes: { together: { sent: { stop: ['END'] } }, openai: { sent: { stop: 'END' } } },
  },
  {
    name: 'log probabilities and a negative seed',
    request: { messages: [question], logprobs: true, top_logprobs: 2, seed: -7 },
    outcomes: {
      mistral: { sent: { logprobs: true, top_logprobs: 2, random_seed: 6 }, lacks: ['seed'] },
      xai: { sent: { logprobs: true, seed: -7 } },
    },
  },
  effortRow('minimal', {
    openai: [
      { sent: { reasoning_effort: 'low' }, model: 'gpt-5.6-sol' },
      { sent: { reasoning_effort: 'minimal' }, model: 'gpt-5-nano' },
    ],
    'openai-responses': { sent: { reasoning: { effort: 'low' } }, model: 'gpt-5.6-sol' },
    mistral: { sent: { reasoning_effort: 'high' } },
    groq: [
      { sent: { reasoning_effort: 'low' }, model: 'openai/gpt-oss-120b' },
      { sent: { reasoning_effort: 'low' }, model: 'llama-3.3-70b-versatile' },
      { sent: { reasoning_effort: 'low' }, model: 'qwen/qwen3.8-27b' },
      { sent: { reasoning_effort: 'default' }, model: 'qwen/qwen3-32b' },
    ],
    deepseek: { sent: { reasoning_effort: 'low' } },
    xai: { sent: { reasoning_effort: 'low' }, model: 'grok-4.3' },
    ollama: { sent: { reasoning_effort: 'low' } },
    together: { sent: { reasoning_effort: 'low' } },
    perplexity: { sent: { reasoning_effort: 'minimal' } },
    vertex: GEMINI_THINKS,
  }),
  effortRow('none', {
    openai: { sent: { reasoning_effort: 'none' }, model: 'gpt-5.6-sol' },
    mistral: { sent: { reasoning_effort: 'none' } },
    groq: [
      { sent: { reasoning_effort: 'low' }, model: 'openai/gpt-oss-120b' },
      { sent: { reasoning_effort: 'none' }, model: 'qwen/qwen3-32b' },
    ],
    deepseek: { sent: { thinking: { type: 'disabled' } }, lacks: ['reasoning_effort'] },
    together: [
      { sent: { reasoning: { enabled: false } }, lacks: ['reasoning_effort'] },
      { sent: { reasoning_effort: 'low' }, lacks: ['reasoning'], model: 'openai/gpt-oss-120b' },
    ],
    perplexity: { sent: { reasoning_effort: 'minimal' } },
  }),
  effortRow('xhigh', {
    openai: { sent: { reasoning_effort: 'xhigh' }, model: 'gpt-5.6-sol' },
    mistral: { sent: { reasoning_effort: 'high' } },
    groq: { sent: { reasoning_effort: 'high' }, model: 'openai/gpt-oss-120b' },
    deepseek: { sent: { reasoning_effort: 'xhigh' } },
    xai: { sent: { reasoning_effort: 'high' }, model: 'grok-4.3' },
    ollama: { sent: { reasoning_effort: 'max' } },
    together: { sent: { reasoning_effort: 'high' } },
    perplexity: { sent: { reasoning_effort: 'high' } },
    openrouter: { sent: { reasoning: { effort: 'xhigh' } } },
  }),
];

function effortRow(effort: string, outcomes: RequestRow['outcomes']): RequestRow {
  return {
    name: `reasoning_effort ${effort}`,
    request: { messages: [question], reasoning_effort: effort },
    outcomes: { gemini: GEMINI_THINKS, ...outcomes },
  };
}
