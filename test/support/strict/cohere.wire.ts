import { objectOf, objectsOf } from '../../../src/upstreams/contract/json.js';
import { json, sse } from '../script.js';
import { argumentsOf, piecesOf, TURN_USAGE, type TurnWire } from './turn.js';

const { input, cached, output } = TURN_USAGE;
const USAGE = {
  billed_units: { input_tokens: input, output_tokens: output },
  tokens: { input_tokens: input + 400, output_tokens: output },
  cached_tokens: cached,
};

/** Cohere's /v2/chat. */
export const COHERE_TURNS: TurnWire = {
  read: (body) => ({
    model: String(body.model),
    isStreamed: body.stream === true,
    tools: objectsOf(body.tools).map((tool) => String(objectOf(tool.function).name)),
    results: objectsOf(body.messages).filter(({ role }) => role === 'tool').length,
    schema: objectOf(body.response_format).json_schema ?? objectOf(body.response_format).schema,
  }),
  write: (turn, { isStreamed }, number) => {
    const isCut = turn.isCut === true;
    const calls = turn.calls.map((call, index) => ({
      id: `${call.name}_${number}_${index}`,
      type: 'function',
      function: { name: call.name, arguments: argumentsOf(call, isCut && index === turn.calls.length - 1) },
    }));
    const finish = isCut ? 'MAX_TOKENS' : calls.length > 0 ? 'TOOL_CALL' : 'COMPLETE';
    const blocks = [
      { type: 'thinking', thinking: turn.reasoning },
      ...(turn.text && calls.length === 0 ? [{ type: 'text', text: turn.text }] : []),
    ];
    const plan = calls.length > 0 ? turn.text : '';
    if (!isStreamed) {
      const message = {
        role: 'assistant',
        content: blocks,
        ...(plan && { tool_plan: plan }),
        ...(calls.length > 0 && { tool_calls: calls }),
      };
      return json(200, { id: `cohere-${number}`, message, finish_reason: finish, usage: USAGE });
    }
    const events = [
      { type: 'message-start', id: `cohere-${number}`, delta: { message: { role: 'assistant' } } },
      ...blocks.flatMap((block, index) => {
        const field = block.type;
        const text = String(block[field as keyof typeof block]);
        return [
          { type: 'content-start', index, delta: { message: { content: { type: field, [field]: '' } } } },
          ...piecesOf(text).map((piece) => ({
            type: 'content-delta',
            index,
            delta: { message: { content: { [field]: piece } } },
          })),
          { type: 'content-end', index },
        ];
      }),
      ...piecesOf(plan).map((piece) => ({ type: 'tool-plan-delta', delta: { message: { tool_plan: piece } } })),
      ...calls.flatMap(({ function: { name, arguments: text }, ...call }, index) => [
        {
          type: 'tool-call-start',
          index,
          delta: { message: { tool_calls: { ...call, function: { name, arguments: '' } } } },
        },
        ...piecesOf(text).map((piece) => ({
          type: 'tool-call-delta',
          index,
          delta: { message: { tool_calls: { function: { arguments: piece } } } },
        })),
        { type: 'tool-call-end', index },
      ]),
      { type: 'message-end', delta: { finish_reason: finish, usage: USAGE } },
    ];
    return sse(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  },
  refusal: (status, message) => json(status, { id: 'cohere-error', message }),
};
