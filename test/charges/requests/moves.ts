import type { Random } from '../../support/random.js';
import type { AnswerScript } from '../answer-script.js';
import type { ModelId } from '../catalog.js';
import { textOf } from './texts.js';

/** A way to get more than is paid, or to leave without paying. */
export interface Move {
  readonly model: ModelId;
  readonly path: '/v1/chat/completions' | '/v1/messages' | '/v1/responses' | '/v1/embeddings';
  readonly script?: Partial<AnswerScript>;
  /** Whether its caller leaves in the middle of the answer. */
  readonly leaves?: boolean;
  /** Whether the gateway refuses it. */
  readonly isRefused?: boolean;
  /** How often it occurs in proportion to others. */
  readonly weight?: number;
  body(text: string, random: Random): object;
}

const chat = (text: string, more: object = {}) => ({ messages: [{ role: 'user', content: text }], ...more });
const messages = (text: string, more: object = {}) => ({ max_tokens: 3500, ...chat(text, more) });
const user = (content: string) => ({ role: 'user', content });
const hosted = { type: 'image_generation' };
const item = (text: string, more: object) => ({ input: [{ role: 'user', content: text }, more] });

const leaving = (kind: AnswerScript['kind']): Move => ({
  model: kind === 'server_tool' ? 'claude' : 'responses',
  path: kind === 'server_tool' ? '/v1/messages' : '/v1/responses',
  script: { kind, output: 900, progressAt: 0.6 },
  leaves: true,
  body: (text) => (kind === 'server_tool' ? messages(text, { stream: true }) : { input: text, stream: true }),
});

/** Each of a PDF's pages has the same object, or its page tree is nowhere to be seen. */
function pdf(text: string, pages: number, isUnusual: boolean): object {
  const kids = Array.from({ length: pages }, () => '4 0 R').join(' ');
  const tree = isUnusual ? '' : `2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${pages} >>\nendobj\n`;
  const data = Buffer.from(`%PDF-1.7\n${tree}stream\n${text.slice(0, 500)}\nendstream\n%%EOF\n`).toString('base64');
  const file = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` };
  return chat('', {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'file', file },
        ],
      },
    ],
  });
}

const PAGES = 8;
const SEARCHING = { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }] };

export const MOVES = {
  'an answer that is too large': {
    model: 'plain',
    path: '/v1/chat/completions',
    script: { unusable: 'large', output: 30 },
    weight: 1,
    body: (text) => chat(text, { max_tokens: 40 }),
  },
  'a late head': {
    model: 'slow',
    path: '/v1/chat/completions',
    script: { unusable: 'late head', output: 200 },
    body: (text) => chat(text, { max_tokens: 250 }),
  },
  'silence in the middle': {
    model: 'slow',
    path: '/v1/chat/completions',
    script: { unusable: 'idle', output: 100 },
    body: (text) => chat(text, { stream: true }),
  },
  'a usual answer of a slow target': {
    model: 'slow',
    path: '/v1/chat/completions',
    script: { output: 20 },
    weight: 10,
    body: (text) => chat(text, { stream: true }),
  },
  'a failure with usage': {
    model: 'responses',
    path: '/v1/responses',
    script: { unusable: 'failure' },
    body: (text, random) => ({ input: text, stream: random.chance(0.5) }),
  },
  'one bad part of embeddings': {
    model: 'vectors',
    path: '/v1/embeddings',
    script: { unusable: 'bad part' },
    body: (text) => ({ input: Array.from({ length: 300 }, (_, at) => (at === 250 ? `BAD ${text}` : text)) }),
  },
  'a custom tool, left': leaving('custom'),
  'sound, left': leaving('sound'),
  'a patch, left': leaving('patch'),
  'an unknown event, left': leaving('unknown'),
  "the provider's tool, left": leaving('server_tool'),
  'unknown fields at a native server': {
    model: 'local',
    path: '/v1/responses',
    body: (text, random) => ({
      ...{ input: text, max_output_tokens: 200, max_new_tokens: 3000, N: 4, stream: random.chance(0.5) },
      notes: textOf(random, 2000),
    }),
    script: { output: 900 },
  },
  'other names of the output limit': {
    model: 'compatible',
    path: '/v1/chat/completions',
    script: { output: 900 },
    body: (text) => chat(text, { max_tokens: 100, n_predict: 3000, max_new_tokens: 3000, num_return_sequences: 4 }),
  },
  'a hosted tool that a search found': {
    model: 'responses',
    path: '/v1/responses',
    isRefused: true,
    body: (text) =>
      item(text, {
        type: 'tool_search_output',
        call_id: 'c',
        execution: 'client',
        status: 'completed',
        tools: [hosted],
      }),
  },
  'a hosted tool among additional ones': {
    model: 'responses',
    path: '/v1/responses',
    isRefused: true,
    body: (text) => item(text, { type: 'additional_tools', role: 'developer', tools: [hosted] }),
  },
  'a hosted tool within a conversation': {
    model: 'claude',
    path: '/v1/messages',
    isRefused: true,
    body: (text) => {
      const definition = { type: 'web_search_20250305', name: 'web_search' };
      const added = { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
      return messages('', { messages: [user(text), { role: 'system', content: [added] }, user(text)] });
    },
  },
  'a hosted tool with a dearer option': {
    model: 'responses',
    path: '/v1/responses',
    isRefused: true,
    body: (text) => ({ input: text, tools: [{ ...hosted, quality: 'max' }] }),
  },
  'a PDF whose pages share their content': {
    model: 'plain',
    path: '/v1/chat/completions',
    script: { pages: PAGES },
    body: (text) => pdf(text, PAGES, false),
  },
  'a PDF of unusual form': {
    model: 'claude',
    path: '/v1/chat/completions',
    script: { pages: PAGES },
    body: (text) => pdf(text, PAGES, true),
  },
  'searches by the provider': {
    model: 'claude',
    path: '/v1/messages',
    script: { searches: 3 },
    body: (text) => messages(text, SEARCHING),
  },
  'searches by the provider, left': {
    model: 'claude',
    path: '/v1/messages',
    script: { searches: 3, output: 900, progressAt: 0.6 },
    leaves: true,
    body: (text) => messages(text, { ...SEARCHING, stream: true }),
  },
  'searches by the provider in a whole answer, left': {
    model: 'claude',
    path: '/v1/messages',
    script: { searches: 3, output: 900, progressAt: 0.6 },
    leaves: true,
    body: (text) => messages(text, SEARCHING),
  },
  'old calls of functions, left': {
    model: 'plain',
    path: '/v1/chat/completions',
    script: { output: 900, progressAt: 0.6 },
    leaves: true,
    body: (text, random) => {
      const called = {
        role: 'assistant',
        content: null,
        function_call: { name: 'f', arguments: textOf(random, 4000) },
      };
      const result = { role: 'function', name: 'f', content: 'Done.' };
      return chat('', { messages: [user(text), called, result, user('Go on.')], max_tokens: 1000, stream: true });
    },
  },
} as const satisfies Readonly<Record<string, Move>>;

export type MoveName = keyof typeof MOVES;
export const MOVE_NAMES = Object.keys(MOVES) as MoveName[];
const USUAL_WEIGHT = 3;

export const MOVE_POOL = MOVE_NAMES.flatMap((name) => {
  const { weight = USUAL_WEIGHT }: Move = MOVES[name];
  return Array<MoveName>(weight).fill(name);
});
