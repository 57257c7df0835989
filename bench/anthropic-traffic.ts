import { JSON_TEXT, PIECES, TEXT_EVENTS, TOTAL_TOKENS } from './traffic.ts';

const INPUT_USAGE = {
  input_tokens: TOTAL_TOKENS - TEXT_EVENTS,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

const MESSAGE = {
  id: 'msg_01Q1b2D3e4F5g6H7i8J9k0Lm',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5-20251001',
};

/** The answer of `jsonAnswer` in the format of Anthropic's Messages API. */
export function anthropicAnswer(): string {
  return JSON.stringify({
    ...MESSAGE,
    content: [{ type: 'text', text: JSON_TEXT }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { ...INPUT_USAGE, output_tokens: TEXT_EVENTS, service_tier: 'standard' },
  });
}

/** The answer of `streamEvents` in the format of Anthropic's Messages API, one string for each event. */
export function anthropicEvents(): string[] {
  return [
    event('message_start', {
      message: {
        ...MESSAGE,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...INPUT_USAGE, output_tokens: 1, service_tier: 'standard' },
      },
    }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('ping'),
    ...PIECES.map((text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { ...INPUT_USAGE, output_tokens: TEXT_EVENTS },
    }),
    event('message_stop'),
  ];
}

function event(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
