import { type Answer, type AnswerUsage, emptyChoice } from './answer.js';
import type { UpstreamReader } from './upstream-reader.js';

interface Part {
  text?: string;
  thinking?: string;
}

interface Call {
  id?: string;
  function?: { name?: string; arguments?: string };
}

interface Counts {
  input_tokens?: number;
  output_tokens?: number;
  reasoning_tokens?: number;
}

interface Ending {
  finish_reason?: string;
  usage?: { billed_units?: Counts; tokens?: Counts };
  error?: string;
}

interface Body extends Ending {
  message?: { content?: Part[]; tool_plan?: string; tool_calls?: Call[] };
}

interface StreamEvent {
  type: string;
  index?: number;
  delta?: { message?: { content?: Part; tool_plan?: string; tool_calls?: Call } } & Ending;
}

const FINISH: Readonly<Record<string, string>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
};

/** Reads Cohere's Chat API; a stream is first merged into one body. */
export const cohereReader: UpstreamReader = {
  answer: ({ stream, body }) => reported(stream === null ? (body as Body) : bodyOf(stream)),
  streamError: (stream) => eventsOf(stream).find(({ delta }) => delta?.finish_reason === 'ERROR')?.delta?.error,
  isChat: ({ url }) => url === null || new URL(url).pathname === '/v2/chat',
  finishMark: /"finish_reason":\s*"/,
  imageMark: 'image_url',
  speaksOpenAi: false,
};

function reported({ message = {}, finish_reason: reason, usage }: Body): Answer {
  const choice = emptyChoice();
  choice.finish = FINISH[reason ?? ''] ?? null;
  const parts = message.content ?? [];
  choice.content = parts.map(({ text = '' }) => text).join('');
  choice.reasoning = parts.map(({ thinking = '' }) => thinking).join('') + (message.tool_plan ?? '');
  choice.toolCalls = (message.tool_calls ?? []).map(({ id = '', function: called }) => {
    const written = called?.arguments ?? '';
    return { id, name: called?.name ?? '', arguments: written === '' || written === 'null' ? '{}' : written };
  });
  return { choices: { 0: choice }, usage: usageOf(usage) };
}

function usageOf(usage: Ending['usage']): AnswerUsage | null {
  if (!usage?.billed_units) return null;
  const { input_tokens: prompt = 0, output_tokens: completion = 0 } = usage.billed_units;
  const reasoning = usage.tokens?.reasoning_tokens ?? 0;
  return { prompt, completion, total: prompt + completion, cached: 0, reasoning };
}

function bodyOf(stream: string): Body {
  const content: Part[] = [];
  const calls: Call[] = [];
  const body: Body = {};
  let plan = '';
  for (const { type, index = 0, delta } of eventsOf(stream)) {
    const { content: part, tool_plan: planned, tool_calls: call } = delta?.message ?? {};
    if (type.startsWith('content-') && part) {
      const { text = '', thinking = '' } = content[index] ?? {};
      content[index] = { text: text + (part.text ?? ''), thinking: thinking + (part.thinking ?? '') };
    }
    if (type === 'tool-plan-delta') plan += planned ?? '';
    if (type.startsWith('tool-call-') && call) {
      const known = calls[index] ?? call;
      const written = (calls[index]?.function?.arguments ?? '') + (call.function?.arguments ?? '');
      calls[index] = { ...known, function: { ...known.function, arguments: written } };
    }
    if (type === 'message-end') Object.assign(body, delta);
  }
  return { ...body, message: { content, tool_plan: plan, tool_calls: calls } };
}

function eventsOf(stream: string): StreamEvent[] {
  return stream
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice('data:'.length)));
}
