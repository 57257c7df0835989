import type { RequestRow } from './request-row.js';

const weather = {
  type: 'function' as const,
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};
const question = { role: 'user' as const, content: 'How is Paris?' };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' };

/** Requests to translate to OpenAI's Responses API. */
export const RESPONSES_ROWS: readonly RequestRow[] = [
  {
    name: 'a conversation with calls of functions and custom tools, and their results',
    request: {
      messages: [
        { role: 'developer', content: 'Be brief.' },
        question,
        {
          role: 'assistant',
          content: 'Let me see.',
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
              extra_content: { openai: { reasoning_items: [reasoning] } },
            },
            { id: 'call_2', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
        { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: '1' }] },
      ],
      tools: [weather, { type: 'custom', custom: { name: 'sql', format: { type: 'text' } } }],
      parallel_tool_calls: true,
      reasoning_effort: 'low',
    },
    outcomes: {
      'openai-responses': {
        sent: {
          store: false,
          include: ['reasoning.encrypted_content'],
          reasoning: { effort: 'low' },
          input: [
            { type: 'message', role: 'developer', content: 'Be brief.' },
            { type: 'message', role: 'user', content: 'How is Paris?' },
            reasoning,
            { type: 'message', role: 'assistant', content: 'Let me see.' },
            { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
            { type: 'custom_tool_call', call_id: 'call_2', name: 'sql', input: 'SELECT 1' },
            { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
            { type: 'custom_tool_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: '1' }] },
          ],
          tools: [
            { type: 'function', name: 'get_weather', strict: false },
            { type: 'custom', name: 'sql', format: { type: 'text' } },
          ],
        },
      },
    },
  },
  {
    name: 'an image by address and one as data, with a PDF',
    request: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
          ],
        },
      ],
    },
    outcomes: {
      'openai-responses': {
        sent: {
          input: [
            {
              content: [
                { type: 'input_text', text: 'What is this?' },
                { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
                { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' },
                { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
              ],
            },
          ],
        },
      },
    },
  },
  {
    name: 'a JSON schema, verbosity, log probabilities and all that both formats have',
    request: {
      messages: [question],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'city', schema: { type: 'object' }, strict: true },
      },
      verbosity: 'low',
      logprobs: true,
      top_logprobs: 2,
      max_completion_tokens: 64,
      service_tier: 'flex',
      prompt_cache_key: 'k',
      safety_identifier: 's',
      user: 'u',
      metadata: { a: 'b' },
      temperature: 0.5,
      top_p: 0.9,
      stream: true,
      stream_options: { include_usage: true, include_obfuscation: false },
    },
    outcomes: {
      'openai-responses': {
        sent: {
          text: {
            format: { type: 'json_schema', name: 'city', schema: { type: 'object' }, strict: true },
            verbosity: 'low',
          },
          include: ['message.output_text.logprobs'],
          top_logprobs: 2,
          max_output_tokens: 64,
          service_tier: 'flex',
          prompt_cache_key: 'k',
          safety_identifier: 's',
          user: 'u',
          metadata: { a: 'b' },
          temperature: 0.5,
          top_p: 0.9,
          stream: true,
          stream_options: { include_obfuscation: false },
        },
        lacks: ['logprobs', 'reasoning', 'tools', 'response_format', 'stream_options.include_usage'],
      },
      cohere: { sent: { logprobs: true } },
    },
  },
  {
    name: 'JSON mode, no stop and parameters without effect',
    request: {
      messages: [question],
      response_format: { type: 'json_object' },
      stop: null,
      n: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      logit_bias: {},
      modalities: ['text'],
    },
    outcomes: {
      'openai-responses': { sent: { text: { format: { type: 'json_object' } } }, lacks: ['stop', 'n', 'modalities'] },
    },
  },
  {
    name: 'a choice of allowed tools and the search of the web',
    request: {
      messages: [question],
      tools: [weather],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'get_weather' } }] },
      },
      web_search_options: {
        search_context_size: 'low',
        user_location: { type: 'approximate', approximate: { country: 'NO' } },
      },
    },
    outcomes: {
      'openai-responses': {
        sent: {
          tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'get_weather' }] },
          tools: [
            { type: 'function', name: 'get_weather' },
            {
              type: 'web_search',
              search_context_size: 'low',
              user_location: { type: 'approximate', country: 'NO' },
            },
          ],
        },
      },
    },
  },
  {
    name: 'a choice of one function',
    request: {
      messages: [question],
      tools: [{ type: 'function', function: { name: 'now' } }],
      tool_choice: { type: 'function', function: { name: 'now' } },
    },
    outcomes: {
      'openai-responses': {
        sent: {
          tools: [{ type: 'function', name: 'now', parameters: { type: 'object', properties: {} }, strict: false }],
          tool_choice: { type: 'function', name: 'now' },
        },
      },
    },
  },
  {
    name: 'a refusal in the history',
    request: { messages: [question, { role: 'assistant', content: null, refusal: 'No.' }, question] },
    outcomes: {
      'openai-responses': { sent: { input: [{}, { type: 'message', role: 'assistant', content: 'No.' }, {}] } },
    },
  },
  ...(
    [
      ['stop', { stop: 'END' }],
      ['seed', { seed: 7 }],
      ['n', { n: 2 }],
      ['logit_bias', { logit_bias: { '50256': -100 } }],
      ['prediction', { prediction: { type: 'content', content: 'Hello' } }],
      ['max_completion_tokens', { max_completion_tokens: 1 }],
    ] as const
  ).map(
    ([field, fields]): RequestRow => ({
      name: `${field}, which the Responses API does not have`,
      request: { messages: [question], ...structuredClone(fields) } as RequestRow['request'],
      outcomes: { 'openai-responses': { refused: field } },
    }),
  ),
];
