import type { RequestRow } from './request-row.js';

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
];
