import type { RequestRow } from './request-row.js';

/** Requests whose translation to the dialects of OpenAI's format is of interest. */
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
];
