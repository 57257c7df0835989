import type { SnippetRequest } from '../../snippets/request-snippets';
import type { SnippetApi } from '../../snippets/snippet-api';
import type { ChatMessage, ChatRequest } from './chat-settings';

/** Messages needs a limit; this is far above a usual answer. */
const USUAL_LIMIT = 4096;

/** The form's request as a client of another API writes it. Fields that the API does not have are left out. */
export function requestFor(id: SnippetApi['id'], request: ChatRequest): SnippetRequest {
  if (id === 'responses') return toResponses(request);
  return id === 'messages' ? toMessages(request) : (request as SnippetRequest);
}

function toResponses(request: ChatRequest): SnippetRequest {
  const {
    model,
    messages,
    temperature,
    top_p,
    max_completion_tokens: limit,
    reasoning_effort: effort,
    stream,
  } = request;
  const format = toTextFormat(request);
  return {
    model,
    input: messages.flatMap(toItems),
    ...(temperature != null && { temperature }),
    ...(top_p != null && { top_p }),
    ...(limit != null && { max_output_tokens: limit }),
    ...(effort && { reasoning: { effort } }),
    ...(format && { text: { format } }),
    ...(request.tools && { tools: request.tools.map(({ type, ...tool }) => ({ type, ...functionOf(tool) })) }),
    ...(stream && { stream }),
  };
}

function toTextFormat({ response_format: format }: ChatRequest): object | null {
  if (format?.type === 'json_object') return { type: 'json_object' };
  return format?.type === 'json_schema' ? { type: 'json_schema', ...format.json_schema } : null;
}

function toItems(message: ChatMessage): object[] {
  const { role, content } = message;
  if (role === 'tool')
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: textOf(content) }];
  const calls = callsOf(message).map(({ id, name, text }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: text,
  }));
  const contentParts = partsOf(content).map((part) =>
    'url' in part
      ? { type: 'input_image', image_url: part.url }
      : { type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text },
  );
  if (contentParts.length === 0) return calls;
  return [{ role, content: typeof content === 'string' ? content : contentParts }, ...calls];
}

function toMessages(request: ChatRequest): SnippetRequest {
  const { model, messages, temperature, top_p, max_completion_tokens: limit, stop, reasoning_effort: effort } = request;
  const system = messages.find(({ role }) => role === 'system');
  const format = request.response_format?.type === 'json_schema' ? request.response_format.json_schema : null;
  const schema = format && { format: { type: 'json_schema', schema: format.schema } };
  const isThinking = effort && effort !== 'none';
  return {
    model,
    max_tokens: limit ?? USUAL_LIMIT,
    ...(system && { system: textOf(system.content) }),
    messages: messages.filter(({ role }) => role !== 'system').map(toMessage),
    ...(temperature != null && { temperature: Math.min(temperature, 1) }),
    ...(top_p != null && { top_p }),
    ...(Array.isArray(stop) && { stop_sequences: stop }),
    ...(isThinking && { thinking: { type: 'adaptive' } }),
    ...((isThinking || schema) && { output_config: { ...(isThinking && { effort }), ...schema } }),
    ...(request.tools && { tools: request.tools.map(({ type: _, ...tool }) => toMessagesTool(functionOf(tool))) }),
    ...(request.stream && { stream: true }),
  };
}

function toMessage(message: ChatMessage): object {
  const { role, content } = message;
  if (role === 'tool') {
    const result = { type: 'tool_result', tool_use_id: message.tool_call_id, content: textOf(content) };
    return { role: 'user', content: [result] };
  }
  const calls = callsOf(message).map(({ id, name, text }) => ({ type: 'tool_use', id, name, input: inputOf(text) }));
  const contentParts = partsOf(content).map((part) =>
    'url' in part ? { type: 'image', source: toSource(part.url) } : { type: 'text', text: part.text },
  );
  return { role, content: calls.length === 0 && typeof content === 'string' ? content : [...contentParts, ...calls] };
}

/** The text that a model wrote may not be JSON. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function toSource(url: string): object {
  const [, type, data] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? [];
  return type ? { type: 'base64', media_type: type, data } : { type: 'url', url };
}

function toMessagesTool({ name, description, parameters = { type: 'object' } }: OfferedFunction): object {
  return { name, ...(description && { description }), input_schema: parameters };
}

interface OfferedFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters?: object;
}

function functionOf(tool: object): OfferedFunction {
  return (tool as { function: OfferedFunction }).function;
}

function callsOf(message: ChatMessage): { id: string; name: string; text: string }[] {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return calls.flatMap((call) =>
    call.type === 'function' ? [{ id: call.id, name: call.function.name, text: call.function.arguments }] : [],
  );
}

function partsOf(content: unknown): ({ text: string } | { url: string })[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }];
  const parts = (content ?? []) as { text?: string; image_url?: { url: string } }[];
  return parts.map(({ text = '', image_url: image }) => (image ? { url: image.url } : { text }));
}

function textOf(content: unknown): string {
  return partsOf(content)
    .map((part) => ('text' in part ? part.text : ''))
    .join('');
}
