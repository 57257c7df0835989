import { objectOf, objectsOf } from '../../../src/upstreams/contract/json.js';
import { json, sse } from '../script.js';
import { argumentsOf, piecesOf, TURN_USAGE, type TurnWire } from './turn.js';

const { input, cached, output, reasoning } = TURN_USAGE;
const USAGE = {
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
};

/**
 * Chat Completions. `reasoningField`: where the provider shows the model's reasoning; OpenAI does not show it. `idOf`: the
 * id of a call.
 */
export function chatWire(
  reasoningField: 'reasoning_content' | 'reasoning' | null,
  idOf = (turn: number, call: number) => `call_${turn}_${call}`,
): TurnWire {
  return {
    read: (body) => ({
      model: String(body.model),
      isStreamed: body.stream === true,
      tools: objectsOf(body.tools).map((tool) => String(objectOf(tool.function ?? tool.custom).name)),
      results: objectsOf(body.messages).filter(({ role }) => role === 'tool').length,
      schema: objectOf(objectOf(body.response_format).json_schema).schema,
    }),
    write: (turn, { isStreamed, model }, number) => {
      const isCut = turn.isCut === true;
      const calls = turn.calls.map((call, index) => ({
        id: idOf(number, index),
        type: 'function',
        function: { name: call.name, arguments: argumentsOf(call, isCut && index === turn.calls.length - 1) },
      }));
      const finish = isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
      const common = {
        id: `chatcmpl-${number}`,
        created: 1_764_200_000,
        model: `${model}-2026-10-01`,
        service_tier: 'default',
      };
      if (!isStreamed) {
        const message = {
          role: 'assistant',
          content: turn.text || null,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: calls }),
          ...(reasoningField && { [reasoningField]: turn.reasoning }),
        };
        const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
        return json(200, { ...common, object: 'chat.completion', choices, usage: USAGE });
      }
      const chunk = (delta: object, finish: string | null = null) => ({
        ...common,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      });
      const deltas = [
        { role: 'assistant', content: '', refusal: null },
        ...(reasoningField ? piecesOf(turn.reasoning).map((text) => ({ [reasoningField]: text })) : []),
        ...piecesOf(turn.text).map((content) => ({ content })),
        ...calls.flatMap(({ id, type, function: { name, arguments: text } }, index) => [
          { tool_calls: [{ index, id, type, function: { name, arguments: '' } }] },
          ...piecesOf(text).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
        ]),
      ];
      const end = [chunk({}, finish), { ...chunk({}), choices: [], usage: USAGE }];
      return sse([...deltas.map((delta) => chunk(delta)), ...end]);
    },
    refusal: (status, message, param, code) =>
      json(status, { error: { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null } }),
  };
}
