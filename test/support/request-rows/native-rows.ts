import type { RequestRow } from './request-row.js';

const WEATHER = { name: 'get_weather', description: 'Looks it up', parameters: { type: 'object', properties: {} } };

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
];
