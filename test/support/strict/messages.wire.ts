import { objectOf, objectsOf } from '../../../src/upstreams/contract/json.js';
import { json, sse } from '../script.js';
import { boundSignature } from './bound-signature.js';
import { argumentsOf, piecesOf, TURN_USAGE, type TurnWire } from './turn.js';

const { input, cached, output } = TURN_USAGE;
const USAGE = {
  input_tokens: input - cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cached,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: output,
  service_tier: 'standard',
};

const ERROR_TYPES: Readonly<Record<number, string>> = { 404: 'not_found_error', 429: 'rate_limit_error' };

/** The Messages API. Claude thinks before each answer, and shows it only where `display` or a budget is given. */
export const MESSAGES_TURNS: TurnWire = {
  read: (body) => ({
    model: String(body.model),
    isStreamed: body.stream === true,
    tools: objectsOf(body.tools).map(({ name }) => String(name)),
    results: objectsOf(body.messages)
      .flatMap(({ content }) => objectsOf(content))
      .filter(({ type }) => type === 'tool_result').length,
    schema: objectOf(objectOf(body.output_config).format ?? body.output_format).schema,
  }),
  write: (turn, { isStreamed, model, body }, number) => {
    const request = objectOf(JSON.parse(body));
    const { thinking } = request;
    const signature = boundSignature(request, number);
    const { type, display } = objectOf(thinking);
    const shown = display === 'summarized' || type === 'enabled' ? turn.reasoning : '';
    const blocks = [
      ...(type === 'disabled' ? [] : [{ type: 'thinking', thinking: shown, signature }]),
      ...(turn.text ? [{ type: 'text', text: turn.text }] : []),
      ...turn.calls.map((call, index) => ({
        type: 'tool_use',
        id: `toolu_${number}_${index}`,
        name: call.name,
        input: call.input,
      })),
    ];
    const stop = turn.isCut ? 'max_tokens' : turn.calls.length > 0 ? 'tool_use' : 'end_turn';
    const message = {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model,
      stop_sequence: null,
      usage: USAGE,
    };
    if (!isStreamed) return json(200, { ...message, content: blocks, stop_reason: stop });
    const events = [
      {
        type: 'message_start',
        message: { ...message, content: [], stop_reason: null, usage: { ...USAGE, output_tokens: 1 } },
      },
      { type: 'ping' },
      ...blocks.flatMap((block, index) =>
        blockEvents(block, index, turn.isCut === true && index === blocks.length - 1),
      ),
      { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: USAGE },
      { type: 'message_stop' },
    ];
    return sse(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
      { done: false },
    );
  },
  refusal: (status, message) =>
    json(status, {
      type: 'error',
      error: { type: ERROR_TYPES[status] ?? 'invalid_request_error', message },
      request_id: 'req_upstream',
    }),
};

type Block = { type: string } & Readonly<Record<string, unknown>>;

function blockEvents(block: Block, index: number, isCut: boolean): { type: string }[] {
  const delta = (one: object) => ({ type: 'content_block_delta', index, delta: one });
  const [empty, deltas] = streamedBlock(block, isCut);
  return [
    { type: 'content_block_start', index, content_block: { ...block, ...empty } } as { type: string },
    ...deltas.map(delta),
    { type: 'content_block_stop', index } as { type: string },
  ];
}

function streamedBlock(block: Block, isCut: boolean): [object, object[]] {
  switch (block.type) {
    case 'thinking': {
      const texts = piecesOf(String(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking }));
      return [{ thinking: '', signature: '' }, [...texts, { type: 'signature_delta', signature: block.signature }]];
    }
    case 'text':
      return [{ text: '' }, piecesOf(String(block.text)).map((text) => ({ type: 'text_delta', text }))];
    default: {
      const text = argumentsOf({ name: '', input: objectOf(block.input) }, isCut);
      return [{ input: {} }, piecesOf(text).map((partial_json) => ({ type: 'input_json_delta', partial_json }))];
    }
  }
}
