import { CREATED, JSON_TEXT, PIECES, STREAM_TEXT, TEXT_EVENTS, TOTAL_TOKENS, UPSTREAM_MODEL } from './traffic.ts';

const USAGE = {
  input_tokens: TOTAL_TOKENS - TEXT_EVENTS,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: TEXT_EVENTS,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: TOTAL_TOKENS,
};
const ITEM_ID = 'msg_0c0ffee7a1b2d3e4f5a6b7c8d9e0f1a2';
const PLACE = { item_id: ITEM_ID, output_index: 0, content_index: 0 };

/** The answer of `jsonAnswer` in the format of OpenAI's Responses API. */
export function responsesAnswer(): string {
  return JSON.stringify(response('completed', [message('completed', JSON_TEXT)], USAGE));
}

/** The answer of `streamEvents`, one string for each event. */
export function responsesEvents(): string[] {
  const events: [type: string, fields: object][] = [
    ['response.created', { response: response('in_progress') }],
    ['response.in_progress', { response: response('in_progress') }],
    ['response.output_item.added', { output_index: 0, item: message('in_progress') }],
    ['response.content_part.added', { ...PLACE, part: part('') }],
    ...PIECES.map((delta): [string, object] => ['response.output_text.delta', { ...PLACE, delta, logprobs: [] }]),
    ['response.output_text.done', { ...PLACE, text: STREAM_TEXT, logprobs: [] }],
    ['response.content_part.done', { ...PLACE, part: part(STREAM_TEXT) }],
    ['response.output_item.done', { output_index: 0, item: message('completed', STREAM_TEXT) }],
    ['response.completed', { response: response('completed', [message('completed', STREAM_TEXT)], USAGE) }],
  ];
  return events.map(
    ([type, fields], at) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: at, ...fields, ...padding(type, at) })}\n\n`,
  );
}

/** As OpenAI hides the length of each piece. */
function padding(type: string, at: number): object {
  return type.endsWith('.delta') ? { obfuscation: 'k3J9xQ2mVb7LtR'.slice(at % 14) } : {};
}

function response(status: string, output: object[] = [], usage: object | null = null): object {
  return {
    id: 'resp_0c0ffee7a1b2d3e4f5a6b7c8d9e0f1a2',
    object: 'response',
    created_at: CREATED,
    status,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: 500,
    model: UPSTREAM_MODEL,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: false,
    temperature: 0.7,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage,
    user: null,
    metadata: {},
  };
}

function message(status: string, text?: string): object {
  return { id: ITEM_ID, type: 'message', status, role: 'assistant', content: text === undefined ? [] : [part(text)] };
}

function part(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}
