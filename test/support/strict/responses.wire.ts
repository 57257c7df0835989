import { objectOf, objectsOf, type ReadonlyJsonObject } from '../../../src/upstreams/contract/json.js';
import { json, sse } from '../script.js';
import { argumentsOf, piecesOf, TURN_USAGE, type Turn, type TurnWire } from './turn.js';

const { input, cached, output, reasoning } = TURN_USAGE;
const USAGE = {
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
};

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The Responses API of a provider that stores nothing: its reasoning has content only on request. */
export const RESPONSES_TURNS: TurnWire = {
  read: (body) => {
    const items = objectsOf(body.input);
    const format = objectOf(objectOf(body.text).format);
    return {
      model: String(body.model),
      isStreamed: body.stream === true,
      tools: [...namesOf(body.tools), ...items.flatMap(({ tools }) => namesOf(tools))],
      results: items.filter(({ type }) => String(type).endsWith('_call_output')).length,
      schema: format.type === 'json_schema' ? format.schema : undefined,
    };
  },
  write: (turn, { isStreamed, model, body }, number) => {
    const request = objectOf(JSON.parse(body));
    const items = itemsOf(turn, request, number);
    const response = (status: string, more: object) => ({
      id: `resp_${number}`,
      object: 'response',
      created_at: 1_764_200_000,
      status,
      background: false,
      error: null,
      incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
      instructions: request.instructions ?? null,
      metadata: {},
      model: `${model}-2026-10-01`,
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: request.reasoning ?? { effort: 'medium', summary: null },
      service_tier: 'default',
      store: request.store ?? true,
      text: request.text ?? { format: { type: 'text' } },
      tool_choice: request.tool_choice ?? 'auto',
      tools: request.tools ?? [],
      ...more,
    });
    const last = turn.isCut ? 'incomplete' : 'completed';
    const whole = response(last, { output: items, usage: USAGE });
    if (!isStreamed) return json(200, whole);
    const begun = response('in_progress', { output: [], usage: null });
    const events: Event[] = [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      ...items.flatMap((item, index) => eventsOf(item, index)),
      { type: `response.${last}`, response: whole },
    ];
    return sse(
      events.map((event, at) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`),
      { done: false },
    );
  },
  refusal: (status, message, param, code) =>
    json(status, { error: { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null } }),
};

function namesOf(tools: unknown): string[] {
  return objectsOf(tools).flatMap(({ type, name, tools: inner }) =>
    type === 'namespace' ? namesOf(inner) : [String(name ?? type)],
  );
}

function itemsOf(turn: Turn, request: ReadonlyJsonObject, number: number): ReadonlyJsonObject[] {
  const isEncrypted = Array.isArray(request.include) && request.include.includes('reasoning.encrypted_content');
  const summary = objectOf(request.reasoning).summary ? [{ type: 'summary_text', text: turn.reasoning }] : [];
  const thought = {
    id: `rs_${number}`,
    type: 'reasoning',
    summary,
    ...(isEncrypted && { encrypted_content: `enc-${number}` }),
  };
  const content = [{ type: 'output_text', text: turn.text, annotations: [], logprobs: [] }];
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', status: 'completed', content };
  const custom = customNames(request);
  const calls = turn.calls.map((call, index) => {
    const isCut = turn.isCut === true && index === turn.calls.length - 1;
    const status = isCut ? 'incomplete' : 'completed';
    const common = {
      status,
      call_id: `call_${number}_${index}`,
      name: call.name,
      ...(call.namespace && { namespace: call.namespace }),
    };
    return custom.has(call.name)
      ? { id: `ctc_${number}_${index}`, type: 'custom_tool_call', ...common, input: String(call.input.input) }
      : { id: `fc_${number}_${index}`, type: 'function_call', ...common, arguments: argumentsOf(call, isCut) };
  });
  return [thought, ...(turn.text ? [message] : []), ...calls];
}

function customNames({ tools, input }: ReadonlyJsonObject): Set<string> {
  const offered = [...objectsOf(tools), ...objectsOf(input).flatMap((item) => objectsOf(item.tools))];
  const flat = offered.flatMap((tool) => (tool.type === 'namespace' ? objectsOf(tool.tools) : [tool]));
  return new Set(flat.filter(({ type }) => type === 'custom').map(({ name }) => String(name)));
}

function eventsOf(item: ReadonlyJsonObject, index: number): Event[] {
  const at = { item_id: item.id, output_index: index };
  const added = (empty: object) => ({
    type: 'response.output_item.added',
    output_index: index,
    item: { ...item, ...empty },
  });
  const done = { type: 'response.output_item.done', output_index: index, item };
  if (item.type === 'reasoning') {
    const parts = objectsOf(item.summary).flatMap((part, summary_index) => [
      { type: 'response.reasoning_summary_part.added', ...at, summary_index, part: { ...part, text: '' } },
      { type: 'response.reasoning_summary_text.delta', ...at, summary_index, delta: part.text },
      { type: 'response.reasoning_summary_text.done', ...at, summary_index, text: part.text },
      { type: 'response.reasoning_summary_part.done', ...at, summary_index, part },
    ]);
    return [added({ summary: [] }), ...parts, done];
  }
  if (item.type === 'message') {
    const [part = {}] = objectsOf(item.content);
    const place = { ...at, content_index: 0 };
    const deltas = piecesOf(String(part.text)).map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      delta,
      logprobs: [],
    }));
    return [
      added({ status: 'in_progress', content: [] }),
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ...deltas,
      { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part },
      done,
    ];
  }
  const [field, name] =
    item.type === 'function_call'
      ? (['arguments', 'response.function_call_arguments'] as const)
      : (['input', 'response.custom_tool_call_input'] as const);
  const text = String(item[field]);
  return [
    added({ status: 'in_progress', [field]: '' }),
    ...piecesOf(text).map((delta) => ({ type: `${name}.delta`, ...at, delta })),
    { type: `${name}.done`, ...at, [field]: text, name: item.name },
    done,
  ];
}
