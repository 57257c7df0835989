import { each, type RequestRow } from './request-row.js';

const question = { role: 'user' as const, content: 'Hello' };
const patch = { id: 'Nr1uNItcS', type: 'custom' as const, custom: { name: 'apply patch', input: '*** Begin' } };
const look = { id: 'g6fVbXS8K', type: 'function' as const, function: { name: 'functions.look', arguments: '{"a":1}' } };

/** Requests with a history that only some APIs accept. */
export const HISTORY_ROWS: readonly RequestRow[] = [
  {
    name: 'a call of a custom tool in the history',
    request: {
      messages: [
        question,
        { role: 'assistant', content: null, tool_calls: [patch] },
        { role: 'tool', tool_call_id: 'Nr1uNItcS', content: 'Done' },
      ],
    },
    outcomes: {
      ...each(['openai', 'azure'], { sent: { messages: [{}, { tool_calls: [patch] }, {}] } }),
      ...each(['mistral', 'xai', 'vllm'], {
        sent: {
          messages: [
            {},
            { tool_calls: [{ id: 'Nr1uNItcS', type: 'function', function: { arguments: '{"input":"*** Begin"}' } }] },
            { role: 'tool', tool_call_id: 'Nr1uNItcS' },
          ],
        },
        lacks: ['messages.1.tool_calls.0.custom'],
      }),
    },
  },
  {
    name: 'a call with a name that functions cannot have',
    request: {
      messages: [
        question,
        { role: 'assistant', content: null, tool_calls: [look] },
        { role: 'tool', tool_call_id: 'g6fVbXS8K', content: 'Done' },
      ],
    },
    outcomes: {
      ...each(['openai', 'azure', 'mistral', 'groq', 'deepseek'], {
        sent: { messages: [{}, { tool_calls: [{ function: { name: 'functions_look', arguments: '{"a":1}' } }] }, {}] },
      }),
      'openai-responses': { sent: { input: [{}, { type: 'function_call', name: 'functions_look' }, {}] } },
      vllm: { sent: { messages: [{}, { tool_calls: [look] }, {}] } },
    },
  },
  {
    name: 'an earlier answer with audio only',
    request: { messages: [question, { role: 'assistant', content: null, audio: { id: 'audio_1' } }, question] },
    outcomes: {
      ...each(['openai', 'openrouter'], { sent: { messages: [{}, { audio: { id: 'audio_1' } }, {}] } }),
      ...each(['xai', 'anthropic', 'cohere', 'bedrock', 'gemini', 'openai-responses'], {
        refused: 'messages[1].audio',
      }),
    },
  },
  {
    name: 'participants with names',
    request: {
      messages: [
        { role: 'user', content: 'Hello', name: 'Ada' },
        { role: 'assistant', content: 'Hi', name: 'Bot' },
        { role: 'user', content: 'Go' },
      ],
    },
    outcomes: each(['openai', 'groq', 'deepseek', 'xai', 'together', 'ollama', 'openrouter'], {
      sent: { messages: [{ name: 'Ada' }, { name: 'Bot' }, {}] },
    }),
  },
  {
    name: 'an image with the detail `original`',
    request: {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'original' } }],
        },
      ],
    },
    outcomes: {
      ...each(['openai', 'openrouter'], { sent: { messages: [{ content: [{ image_url: { detail: 'original' } }] }] } }),
      ...each(['mistral', 'xai', 'cohere'], {
        sent: { messages: [{ content: [{ image_url: { detail: 'high' } }] }] },
      }),
      ...each(['together', 'perplexity'], { sent: {}, lacks: ['messages.0.content.0.image_url.detail'] }),
    },
  },
  {
    name: 'a recording in MP3',
    request: {
      messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'SUQz', format: 'mp3' } }] }],
    },
    outcomes: {
      mistral: { sent: { messages: [{ content: [{ input_audio: { data: 'SUQz', format: 'mp3' } }] }] } },
      together: {
        sent: { messages: [{ content: [{ audio_url: { url: 'data:audio/mpeg;base64,SUQz' } }] }] },
        lacks: ['messages.0.content.0.input_audio'],
      },
      groq: { refused: 'messages[0].content[0]' },
    },
  },
];
