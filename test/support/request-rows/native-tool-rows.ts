import type { RequestRow } from './request-row.js';

const WEATHER = { name: 'get_weather', description: 'Looks it up', parameters: { type: 'object', properties: {} } };

const LIMITED = { type: 'integer', description: 'In years', minimum: 0, maximum: 150 };

/** Requests with tools to translate to Anthropic, Bedrock, Cohere, Gemini or Vertex AI. */
export const NATIVE_TOOL_ROWS: readonly RequestRow[] = [
  {
    name: 'functions, one of them called, with a history of the older form',
    request: {
      messages: [
        { role: 'user', content: 'Weather in Paris?' },
        { role: 'assistant', content: null, function_call: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
        { role: 'function', name: 'get_weather', content: 'rain' },
      ],
      functions: [WEATHER],
      function_call: { name: 'get_weather' },
    },
    outcomes: {
      anthropic: {
        sent: {
          tools: [{ name: 'get_weather' }],
          tool_choice: { type: 'tool', name: 'get_weather' },
          messages: [
            {},
            { content: [{ type: 'tool_use', id: 'call_function_1', input: { city: 'Paris' } }] },
            { content: [{ type: 'tool_result', tool_use_id: 'call_function_1' }] },
          ],
        },
      },
      bedrock: {
        sent: {
          toolConfig: { tools: [{ toolSpec: { name: 'get_weather' } }] },
          messages: [{}, { content: [{ toolUse: { toolUseId: 'call_function_1' } }] }, {}],
        },
      },
      cohere: { sent: { tool_choice: 'REQUIRED', messages: [{}, { tool_calls: [{ id: 'call_function_1' }] }, {}] } },
      gemini: {
        sent: { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_weather'] } } },
      },
      vertex: { sent: { contents: [{}, { parts: [{ functionCall: { args: { city: 'Paris' } } }] }, {}] } },
      openai: { sent: { functions: [WEATHER], function_call: { name: 'get_weather' } } },
    },
  },

  {
    name: 'a strict tool whose schema has limits',
    request: {
      messages: [{ role: 'user', content: 'How old?' }],
      tools: [
        {
          type: 'function',
          function: { name: 'set_age', strict: true, parameters: { type: 'object', properties: { age: LIMITED } } },
        },
      ],
    },
    outcomes: {
      anthropic: {
        sent: {
          tools: [
            {
              strict: true,
              input_schema: {
                additionalProperties: false,
                properties: { age: { description: 'In years\n\n{minimum: 0, maximum: 150}' } },
              },
            },
          ],
        },
        lacks: ['tools[0].input_schema.properties.age.minimum'],
      },
      bedrock: {
        sent: {
          toolConfig: {
            tools: [{ toolSpec: { strict: true, inputSchema: { json: { additionalProperties: false } } } }],
          },
        },
        lacks: ['toolConfig.tools[0].toolSpec.inputSchema.json.properties.age.maximum'],
      },
    },
  },
  {
    name: 'texts and an image in the result of a tool',
    request: {
      messages: [
        { role: 'user', content: 'Look' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: [
            { type: 'text', text: 'The screen:' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            { type: 'text', text: 'at noon' },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'look' } }],
    },
    outcomes: {
      anthropic: {
        sent: {
          messages: [
            {},
            {},
            { content: [{ type: 'tool_result', content: [{}, { source: { media_type: 'image/png' } }, {}] }] },
          ],
        },
      },
      bedrock: {
        sent: {
          messages: [{}, {}, { content: [{ toolResult: { content: [{}, { image: { format: 'png' } }, {}] } }] }],
        },
      },
      gemini: [
        {
          sent: {
            contents: [
              {},
              {},
              {
                parts: [
                  {
                    functionResponse: {
                      response: { output: 'The screen:\nat noon' },
                      parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
                    },
                  },
                ],
              },
            ],
          },
        },
        {
          model: 'gemini-2.5-flash',
          sent: { contents: [{}, {}, { parts: [{ functionResponse: {} }, { inlineData: { data: 'AAAA' } }] }] },
          lacks: ['contents[2].parts[0].functionResponse.parts'],
        },
      ],
      cohere: {
        sent: {
          messages: [{}, {}, { role: 'tool' }, { role: 'user', content: [{ type: 'text' }, { type: 'image_url' }] }],
        },
      },
      mistral: {
        sent: {
          messages: [
            {},
            {},
            { role: 'tool' },
            { role: 'assistant' },
            { role: 'user', content: [{ type: 'text' }, { type: 'image_url' }] },
          ],
        },
      },
    },
  },
  {
    name: 'some of several tools allowed',
    request: {
      messages: [{ role: 'user', content: 'Go' }],
      tools: ['one', 'two', 'three'].map((name) => ({ type: 'function' as const, function: { name } })),
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'required',
          tools: ['one', 'three'].map((name) => ({ type: 'function', function: { name } })),
        },
      },
    },
    outcomes: {
      anthropic: { sent: { tools: [{ name: 'one' }, { name: 'three' }], tool_choice: { type: 'any' } } },
      bedrock: {
        sent: {
          toolConfig: {
            tools: [{ toolSpec: { name: 'one' } }, { toolSpec: { name: 'three' } }],
            toolChoice: { any: {} },
          },
        },
      },
      cohere: {
        sent: { tools: [{ function: { name: 'one' } }, { function: { name: 'three' } }], tool_choice: 'REQUIRED' },
      },
      gemini: {
        sent: { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['one', 'three'] } } },
      },
    },
  },
  {
    name: 'a tool whose name begins with a digit, and an odd name in the history',
    request: {
      messages: [
        { role: 'user', content: 'Go' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'fs/read me', arguments: '{"a":' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
      tools: [{ type: 'function', function: { name: '2fa' } }],
      tool_choice: { type: 'function', function: { name: '2fa' } },
    },
    outcomes: {
      anthropic: { sent: { messages: [{}, { content: [{ name: 'fs_read_me' }] }, {}], tools: [{ name: '2fa' }] } },
      bedrock: { sent: { messages: [{}, { content: [{ toolUse: { name: 'fs_read_me' } }] }, {}] } },
      cohere: { sent: { tools: [{ function: { name: '_2fa' } }] } },
      gemini: {
        sent: {
          tools: [{ functionDeclarations: [{ name: '_2fa' }] }],
          toolConfig: { functionCallingConfig: { allowedFunctionNames: ['_2fa'] } },
          contents: [
            {},
            { parts: [{ functionCall: { name: 'fs_read_me' } }] },
            { parts: [{ functionResponse: { name: 'fs_read_me' } }] },
          ],
        },
      },
    },
  },
  {
    name: 'a search of the web, from a place',
    request: {
      messages: [{ role: 'user', content: 'News?' }],
      web_search_options: {
        search_context_size: 'low',
        user_location: { type: 'approximate', approximate: { country: 'FR', city: 'Paris' } },
      },
      tools: [{ type: 'function', function: { name: 'note' } }],
    },
    outcomes: {
      anthropic: {
        sent: {
          tools: [
            { name: 'note' },
            {
              type: 'web_search_20250305',
              name: 'web_search',
              user_location: { type: 'approximate', country: 'FR', city: 'Paris' },
            },
          ],
        },
      },
      bedrock: { refused: 'web_search_options' },
      cohere: { refused: 'web_search_options' },
      gemini: { sent: { tools: [{ functionDeclarations: [{ name: 'note' }] }, { googleSearch: {} }] } },
    },
  },
  {
    name: 'one call at a time, and tools without parameters',
    request: {
      messages: [{ role: 'user', content: 'Go' }],
      tools: [{ type: 'function', function: { name: 'now' } }],
      tool_choice: 'required',
      parallel_tool_calls: false,
    },
    outcomes: {
      anthropic: {
        sent: {
          tools: [{ input_schema: { type: 'object' } }],
          tool_choice: { type: 'any', disable_parallel_tool_use: true },
        },
      },
      bedrock: {
        sent: {
          toolConfig: { tools: [{ toolSpec: { inputSchema: { json: { type: 'object' } } } }] },
          additionalModelRequestFields: { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
        },
      },
      cohere: { sent: { tools: [{ function: { parameters: { type: 'object' } } }], tool_choice: 'REQUIRED' } },
      gemini: { sent: { toolConfig: { functionCallingConfig: { mode: 'ANY' } } } },
    },
  },
];
