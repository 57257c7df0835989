import { each, type RequestRow } from './request-row.js';

const messages = [{ role: 'user' as const, content: 'Hello' }];
const weather = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } };
const clock = { type: 'function' as const, function: { name: 'clock', parameters: { type: 'object' } } };

/** An object with arbitrary names. */
const MAP = {
  type: 'object',
  properties: { m: { type: 'object', additionalProperties: { type: 'string', nullable: true } } },
  required: ['m'],
};

/** Requests with options that only some APIs have in this form. */
export const OPTION_ROWS: readonly RequestRow[] = [
  {
    name: 'a JSON schema format without its schema',
    request: { messages, response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: null } } },
    outcomes: {
      ...each(['openai', 'azure', 'openai-compatible', 'groq', 'together', 'openrouter'], {
        sent: { response_format: { type: 'json_schema', json_schema: { name: 'answer' } } },
      }),
      ...each(['mistral', 'xai', 'ollama', 'vllm', 'cohere'], {
        sent: { response_format: { type: 'json_object' } },
        lacks: ['response_format.json_schema'],
      }),
      'openai-responses': { sent: { text: { format: { type: 'json_schema', name: 'answer', schema: {} } } } },
      deepseek: { refused: 'response_format' },
      perplexity: { refused: 'response_format.json_schema.schema' },
    },
  },
  {
    name: 'a JSON schema format with an unknown field and `strict: null`',
    request: {
      messages,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object' }, strict: null, vendor: 1 } as never,
      },
    },
    outcomes: each(['xai'], {
      sent: { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } } },
      lacks: ['response_format.json_schema.strict', 'response_format.json_schema.vendor'],
    }),
  },
  {
    name: 'a JSON schema of a map whose values may be null',
    request: { messages, response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: MAP } } },
    outcomes: {
      anthropic: { sent: { tools: [{ name: 'json_answer', input_schema: MAP }] }, lacks: ['output_config'] },
      bedrock: [
        { sent: { toolConfig: { tools: [{ toolSpec: { inputSchema: { json: MAP } } }] } }, lacks: ['outputConfig'] },
        {
          model: 'openai.gpt-oss-120b-1:0',
          sent: { outputConfig: { textFormat: { structure: { jsonSchema: { schema: JSON.stringify(MAP) } } } } },
        },
      ],
      gemini: { sent: { generationConfig: { responseJsonSchema: MAP } } },
      cohere: { sent: { response_format: { type: 'json_object', json_schema: MAP } } },
      ...each(['openai', 'mistral', 'groq', 'xai', 'together', 'ollama', 'vllm', 'openrouter', 'perplexity'], {
        sent: { response_format: { type: 'json_schema', json_schema: { schema: MAP } } },
      }),
    },
  },
  {
    name: 'a prediction in parts',
    request: {
      messages,
      prediction: {
        type: 'content',
        content: [
          { type: 'text', text: 'One, ' },
          { type: 'text', text: 'two' },
        ],
      },
    },
    outcomes: {
      ...each(['openai', 'azure'], { sent: { prediction: { content: [{ text: 'One, ' }, {}] } } }),
      mistral: { sent: { prediction: { type: 'content', content: 'One, two' } } },
      groq: { sent: {}, lacks: ['prediction'] },
    },
  },
  {
    name: 'an empty list of tools, with options for tools',
    request: { messages, tools: [], tool_choice: 'auto', parallel_tool_calls: false },
    outcomes: each(['openai', 'xai'], {
      sent: {},
      lacks: ['tools', 'tool_choice', 'parallel_tool_calls'],
    }),
  },
  {
    name: 'a choice of one tool by its name',
    request: { messages, tools: [weather, clock], tool_choice: { type: 'function', function: { name: 'clock' } } },
    outcomes: {
      ...each(['openai', 'mistral', 'xai'], {
        sent: { tools: [weather, clock], tool_choice: { type: 'function', function: { name: 'clock' } } },
      }),
      perplexity: { sent: { tools: [{ function: { name: 'clock' } }], tool_choice: 'required' }, lacks: ['tools.1'] },
    },
  },
  {
    name: 'a stream without padding',
    request: { messages, stream: true, stream_options: { include_obfuscation: false } },
    outcomes: {
      openai: { sent: { stream_options: { include_usage: true, include_obfuscation: false } } },
      ...each(['deepseek', 'xai', 'together', 'ollama', 'openrouter'], {
        sent: { stream_options: { include_usage: true } },
        lacks: ['stream_options.include_obfuscation'],
      }),
      ...each(['mistral', 'groq', 'perplexity'], { sent: { stream: true }, lacks: ['stream_options'] }),
    },
  },
  {
    name: 'a search of the web near the user',
    request: {
      messages,
      web_search_options: {
        search_context_size: 'low',
        user_location: { type: 'approximate', approximate: { city: 'Bern', timezone: 'Europe/Zurich' } },
      },
    },
    outcomes: {
      perplexity: {
        sent: { web_search_options: { search_context_size: 'low', user_location: { city: 'Bern' } } },
        lacks: ['web_search_options.user_location.type', 'web_search_options.user_location.timezone'],
      },
      groq: { refused: 'web_search_options' },
    },
  },
];
