import { createHash } from 'node:crypto';
import { each, type RequestRow } from './request-row.js';

const question = { role: 'user' as const, content: 'Hello' };
const weather = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } };
const clock = { type: 'function' as const, function: { name: 'clock', parameters: { type: 'object' } } };
/** The first characters of the SHA-256 of 65 times x. */
const SHORT_ID = `call_${createHash('sha256').update('x'.repeat(65)).digest('hex').slice(0, 32)}`;
const image = { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png', detail: 'low' as const } };

/** Requests with tools to translate to dialects of OpenAI's format. */
export const DIALECT_TOOL_ROWS: readonly RequestRow[] = [
  {
    name: 'a choice among some of the tools',
    request: {
      messages: [question],
      tools: [weather, clock],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [clock] } },
    },
    outcomes: {
      ...each(['openai', 'azure'], { sent: { tools: [weather, clock], tool_choice: { type: 'allowed_tools' } } }),
      ...each(['xai', 'ollama', 'perplexity'], {
        sent: { tools: [clock], tool_choice: 'required' },
      }),
      mistral: { sent: { tools: [clock], tool_choice: 'any' } },
    },
  },
  {
    name: 'a tool without parameters',
    request: { messages: [question], tools: [{ type: 'function', function: { name: 'now', strict: null } }] },
    outcomes: {
      mistral: {
        sent: { tools: [{ function: { name: 'now', parameters: { type: 'object', properties: {} } } }] },
        lacks: ['tools.0.function.strict'],
      },
      groq: { sent: { tools: [{ function: { name: 'now' } }] }, lacks: ['tools.0.function.strict'] },
    },
  },
  {
    name: 'a user message after a tool result, and a system text at the end',
    request: {
      messages: [
        question,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'Nr1uNItcS', type: 'function', function: { name: 'clock', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'Nr1uNItcS', content: '12:00' },
        { role: 'user', content: [{ type: 'text', text: 'And in Oslo?' }, image] },
        { role: 'system', content: 'Be brief.' },
      ],
      tools: [clock],
    },
    outcomes: {
      mistral: {
        sent: {
          messages: [
            { role: 'system', content: 'Be brief.' },
            question,
            { role: 'assistant', tool_calls: [{}] },
            { role: 'tool' },
            { role: 'assistant', content: 'OK' },
            { role: 'user', content: [{ type: 'text', text: 'And in Oslo?' }, image] },
          ],
        },
      },
    },
  },
  {
    name: 'a call with a long id and without arguments',
    request: {
      messages: [
        question,
        {
          role: 'assistant',
          tool_calls: [{ id: 'x'.repeat(65), type: 'function', function: { name: 'clock', arguments: '' } }],
        },
        { role: 'tool', tool_call_id: 'x'.repeat(65), content: '12:00' },
      ],
      tools: [clock],
    },
    outcomes: {
      ...each(['openai', 'azure'], {
        sent: {
          messages: [{}, { tool_calls: [{ id: SHORT_ID, function: { arguments: '{}' } }] }, { tool_call_id: SHORT_ID }],
        },
      }),
      'openai-responses': {
        sent: { input: [{}, { call_id: SHORT_ID, arguments: '{}' }, { call_id: SHORT_ID }] },
      },
      xai: { sent: { messages: [{}, { tool_calls: [{ id: 'x'.repeat(65), function: { arguments: '{}' } }] }, {}] } },
    },
  },
];
