import { expect } from '@jest/globals';
import type { RequestRow } from './request-row.js';

const WEATHER = { name: 'get_weather', description: 'Looks it up', parameters: { type: 'object', properties: {} } };

const LIMITED = { type: 'integer', description: 'In years', minimum: 0, maximum: 150 };

/** Requests whose translation to Anthropic, Bedrock, Cohere, Gemini or Vertex AI is of interest. */
export const NATIVE_ROWS: readonly RequestRow[] = [
  {
    name: 'a plain question',
    request: { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 },
    outcomes: {
      anthropic: {
        sent: { max_tokens: 100, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] },
      },
      bedrock: { sent: { inferenceConfig: { maxTokens: 100 }, messages: [{ content: [{ text: 'Hello' }] }] } },
      cohere: { sent: { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] } },
      gemini: { sent: { generationConfig: { maxOutputTokens: 100 }, contents: [{ parts: [{ text: 'Hello' }] }] } },
      vertex: { sent: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] } },
    },
  },
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
    name: 'an output format whose schema has limits',
    request: {
      messages: [{ role: 'user', content: 'How old?' }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'age', schema: { type: 'object', properties: { age: LIMITED }, required: ['age'] } },
      },
    },
    outcomes: {
      anthropic: {
        sent: {
          output_config: {
            format: {
              type: 'json_schema',
              schema: {
                properties: { age: { type: 'integer', description: 'In years\n\n{minimum: 0, maximum: 150}' } },
                additionalProperties: false,
              },
            },
          },
        },
        lacks: ['output_config.format.schema.properties.age.minimum'],
      },
      bedrock: [
        {
          sent: {
            outputConfig: {
              textFormat: {
                structure: {
                  jsonSchema: {
                    schema: JSON.stringify({
                      type: 'object',
                      properties: { age: { type: 'integer', description: 'In years\n\n{minimum: 0, maximum: 150}' } },
                      required: ['age'],
                      additionalProperties: false,
                    }),
                  },
                },
              },
            },
          },
        },
        {
          model: 'us.amazon.nova-lite-v1:0',
          sent: {
            toolConfig: {
              tools: [{ toolSpec: { name: 'json_answer', inputSchema: { json: { properties: { age: LIMITED } } } } }],
              toolChoice: { tool: { name: 'json_answer' } },
            },
          },
          lacks: ['outputConfig'],
        },
      ],
      cohere: { sent: { response_format: { type: 'json_object', json_schema: { properties: { age: LIMITED } } } } },
      gemini: { sent: { generationConfig: { responseJsonSchema: { properties: { age: LIMITED } } } } },
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
    name: 'a JSON object without a schema',
    request: { messages: [{ role: 'user', content: 'JSON' }], response_format: { type: 'json_object' } },
    outcomes: {
      anthropic: { sent: { system: [{ text: expect.stringContaining('one JSON object') }] } },
      bedrock: { sent: { system: [{ text: expect.stringContaining('one JSON object') }] }, lacks: ['outputConfig'] },
      cohere: { sent: { response_format: { type: 'json_object' } } },
      gemini: { sent: { generationConfig: { responseMimeType: 'application/json' } } },
    },
  },
  {
    name: 'an image by its https address',
    request: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          ],
        },
      ],
    },
    outcomes: {
      anthropic: {
        sent: { messages: [{ content: [{}, { source: { type: 'url', url: 'https://example.com/a.png' } }] }] },
      },
      bedrock: { refused: 'messages[0].content[1].image_url.url' },
      cohere: { sent: { messages: [{ content: [{}, { image_url: { url: 'https://example.com/a.png' } }] }] } },
      gemini: { sent: { contents: [{ parts: [{}, { fileData: { fileUri: 'https://example.com/a.png' } }] }] } },
      vertex: { sent: { contents: [{ parts: [{}, { fileData: { mimeType: 'image/png' } }] }] } },
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
      cohere: { refused: 'messages[2].content[1]' },
      mistral: { refused: 'messages[2].content[1]' },
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
    name: 'a refusal, and fields of others, in the history',
    request: {
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: '', refusal: 'I will not.', reasoning: 'Hm.' },
        { role: 'user', content: 'Why?' },
      ],
    },
    outcomes: {
      anthropic: { sent: { messages: [{}, { content: [{ type: 'text', text: 'I will not.' }] }, {}] } },
      bedrock: { sent: { messages: [{}, { content: [{ text: 'I will not.' }] }, {}] } },
      cohere: { sent: { messages: [{}, { content: [{ type: 'text', text: 'I will not.' }] }, {}] } },
      gemini: { sent: { contents: [{}, { parts: [{ text: 'I will not.' }] }, {}] } },
    },
  },
  {
    name: 'a top_p of all',
    request: { messages: [{ role: 'user', content: 'Go' }], top_p: 1 },
    outcomes: { cohere: { sent: {}, lacks: ['p'] }, anthropic: { sent: { top_p: 1 } } },
  },
  {
    name: 'a top_p of nothing',
    request: { messages: [{ role: 'user', content: 'Go' }], top_p: 0 },
    outcomes: { cohere: { sent: { p: 0.01 } }, gemini: { sent: { generationConfig: { topP: 0 } } } },
  },

  {
    name: 'flexible processing',
    request: { messages: [{ role: 'user', content: 'Go' }], service_tier: 'flex' },
    outcomes: {
      anthropic: { sent: {}, lacks: ['service_tier'] },
      bedrock: { sent: { serviceTier: { type: 'flex' } } },
      cohere: { sent: {}, lacks: ['service_tier'] },
      gemini: { sent: { serviceTier: 'flex' } },
      vertex: { sent: {}, lacks: ['serviceTier'] },
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
    name: 'log probabilities',
    request: { messages: [{ role: 'user', content: 'Go' }], logprobs: true },
    outcomes: {
      anthropic: { refused: 'logprobs' },
      bedrock: { refused: 'logprobs' },
      cohere: { sent: { logprobs: true } },
      gemini: { sent: { generationConfig: { responseLogprobs: true } } },
    },
  },
  {
    name: 'a seed of 64 bits',
    request: { messages: [{ role: 'user', content: 'Go' }], seed: 2 ** 62 + 2 ** 40 },
    outcomes: {
      anthropic: { sent: {}, lacks: ['seed'] },
      cohere: { sent: { seed: 2 ** 40 } },
      gemini: { sent: { generationConfig: { seed: 0 } } },
      vertex: { sent: { generationConfig: { seed: 0 } } },
    },
  },
];
