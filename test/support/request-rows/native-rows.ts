import { expect } from '@jest/globals';
import type { RequestRow } from './request-row.js';

const LIMITED = { type: 'integer', description: 'In years', minimum: 0, maximum: 150 };

/** Requests to translate to Anthropic, Bedrock, Cohere, Gemini or Vertex AI. */
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
      gemini: {
        sent: { generationConfig: { maxOutputTokens: 100 }, contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
      },
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
    name: 'a top_p of 1',
    request: { messages: [{ role: 'user', content: 'Go' }], top_p: 1 },
    outcomes: { cohere: { sent: {}, lacks: ['p'] }, anthropic: { sent: { top_p: 1 } } },
  },
  {
    name: 'a top_p of 0',
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
    name: 'a seed of 53 bits',
    request: { messages: [{ role: 'user', content: 'Go' }], seed: 2 ** 53 - 1 },
    outcomes: {
      anthropic: { sent: {}, lacks: ['seed'] },
      cohere: { sent: { seed: 2 ** 53 - 1 } },
      gemini: { sent: { generationConfig: { seed: 2 ** 31 - 1 } } },
    },
  },

  {
    name: 'a stream with limits, stop words and a user',
    request: {
      messages: [{ role: 'user', content: 'Go' }],
      stream: true,
      stop: 'END',
      temperature: 0.5,
      max_completion_tokens: 9,
      user: 'u-1',
      metadata: { team: 'a' },
    },
    outcomes: {
      anthropic: { sent: { stream: true, stop_sequences: ['END'], max_tokens: 9, metadata: { user_id: 'u-1' } } },
      bedrock: { sent: { inferenceConfig: { stopSequences: ['END'] }, requestMetadata: { team: 'a' } } },
      cohere: { sent: { stream: true, stop_sequences: ['END'], max_tokens: 9 }, lacks: ['user', 'metadata'] },
      gemini: { sent: { generationConfig: { stopSequences: ['END'], maxOutputTokens: 9 } }, lacks: ['user'] },
    },
  },
  {
    name: 'little reasoning',
    request: { messages: [{ role: 'user', content: 'Go' }], reasoning_effort: 'low', max_tokens: 8000 },
    outcomes: {
      anthropic: [
        { sent: { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } } },
        { model: 'claude-haiku-4-5', sent: { thinking: { type: 'enabled', budget_tokens: 2048 } } },
      ],
      bedrock: { sent: { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2048 } } } },
      cohere: { sent: { thinking: { type: 'enabled', token_budget: 2048 } } },
      gemini: [
        { sent: { generationConfig: { thinkingConfig: { includeThoughts: true } } } },
        { model: 'gemini-2.5-flash', sent: { generationConfig: { thinkingConfig: { thinkingBudget: 1024 } } } },
      ],
    },
  },
  {
    name: 'no reasoning',
    request: { messages: [{ role: 'user', content: 'Go' }], reasoning_effort: 'none' },
    outcomes: {
      anthropic: { sent: { thinking: { type: 'disabled' } } },
      cohere: { sent: { thinking: { type: 'disabled' } } },
      gemini: { model: 'gemini-2.5-flash', sent: { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } } },
    },
  },
  {
    name: 'a PDF',
    request: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Sum up' },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' } },
          ],
        },
      ],
    },
    outcomes: {
      anthropic: { sent: { messages: [{ content: [{}, { type: 'document', source: { type: 'base64' } }] }] } },
      bedrock: { sent: { messages: [{ content: [{}, { document: { format: 'pdf', name: 'a' } }] }] } },
      cohere: { refused: 'messages[0].content[1]' },
      gemini: { sent: { contents: [{ parts: [{}, { inlineData: { mimeType: 'application/pdf' } }] }] } },
    },
  },
  {
    name: 'several choices',
    request: { messages: [{ role: 'user', content: 'Go' }], n: 2 },
    outcomes: {
      anthropic: { refused: 'n' },
      bedrock: { refused: 'n' },
      cohere: { refused: 'n' },
      gemini: { sent: { generationConfig: { candidateCount: 2 } } },
    },
  },
];
