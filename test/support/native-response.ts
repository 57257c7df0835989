import { randomBytes } from 'node:crypto';
import { type Script, sse } from './script.js';

const USAGE = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 3,
  output_tokens_details: { reasoning_tokens: 1 },
  total_tokens: 14,
};

/** An answer of the Responses API with new ids: encrypted reasoning, then a text. Nothing is stored upstream. */
export function nativeResponse(text: string) {
  const id = randomBytes(8).toString('hex');
  return {
    ...{ id: `resp_${id}`, object: 'response', created_at: 1_790_000_000, status: 'completed', error: null },
    ...{ incomplete_details: null, model: 'gpt-upstream', previous_response_id: null, store: false, usage: USAGE },
    output: [
      { id: `rs_${id}`, type: 'reasoning', summary: [], encrypted_content: 'enc-1' },
      {
        ...{ id: `msg_${id}`, type: 'message', status: 'completed', role: 'assistant' },
        content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
      },
    ],
  };
}

/** The same answer as a stream. `endsWithout`: its last event has no output. */
export function nativeResponseStream(text: string, { endsWithout = false } = {}): Script {
  const response = nativeResponse(text);
  const [reasoning, message] = response.output;
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  const part = { item_id: message?.id, output_index: 1, content_index: 0 };
  const content = { type: 'output_text', text, annotations: [], logprobs: [] };
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, encrypted_content: '' } },
    { type: 'response.output_item.done', output_index: 0, item: reasoning },
    { type: 'response.output_item.added', output_index: 1, item: { ...message, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...part, part: { ...content, text: '' } },
    { type: 'response.output_text.delta', ...part, delta: text, logprobs: [] },
    { type: 'response.output_text.done', ...part, text, logprobs: [] },
    { type: 'response.content_part.done', ...part, part: content },
    { type: 'response.output_item.done', output_index: 1, item: message },
    { type: 'response.completed', response: endsWithout ? { ...response, output: [] } : response },
  ];
  const numbered = events.map((event, sequence) => ({ ...event, sequence_number: sequence }));
  return sse(
    numbered.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
    { done: false },
  );
}
