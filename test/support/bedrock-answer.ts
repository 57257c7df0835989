import { type Answer, type AnswerUsage, emptyChoice } from './answer.js';
import { awsBytes, awsEvent, awsMessages } from './aws-event-stream.js';
import type { Exchange } from './exchanges.js';
import type { UpstreamReader } from './upstream-reader.js';

interface Block {
  text?: string;
  reasoningContent?: { reasoningText?: { text: string } };
  citationsContent?: { content?: { text: string }[] };
  toolUse?: { toolUseId: string; name: string; type?: string; input?: unknown };
}

interface Usage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cacheReadInputTokens?: number;
}

interface Body {
  output: { message: { content: Block[] } };
  stopReason: string | null;
  usage?: Usage;
}

interface StreamPayload {
  contentBlockIndex: number;
  start?: Block;
  delta?: { text?: string; toolUse?: { input: string }; reasoningContent?: { text?: string } };
  stopReason?: string;
  usage?: Usage;
}

const FINISH: Readonly<Record<string, string>> = {
  tool_use: 'tool_calls',
  max_tokens: 'length',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
};

/** Reads Bedrock's Converse; a stream is first merged into one response. */
export const bedrockReader: UpstreamReader = {
  answer: ({ stream, body }) => reported(stream === null ? (body as Body) : bodyOf(stream)),
  streamError: (stream) => messagesOf(stream).find(({ headers }) => headers[':message-type'] !== 'event'),
  isChat: ({ url }) => url !== null && /\/converse(?:-stream)?$/.test(url),
  finishMark: /"stopReason"/,
  imageMark: '"image":{"format"',
  speaksOpenAi: false,
  strewn,
  offsetBeforeFinish: (stream) => lengthOf(untilFinish(stream)),
};

function reported({ output, stopReason, usage }: Body): Answer {
  const choice = emptyChoice();
  if (stopReason !== null) choice.finish = FINISH[stopReason] ?? 'stop';
  for (const { text, reasoningContent, citationsContent, toolUse } of output.message.content) {
    choice.content += text ?? '';
    choice.content += citationsContent?.content?.map((part) => part.text).join('') ?? '';
    choice.reasoning += reasoningContent?.reasoningText?.text ?? '';
    if (!toolUse || toolUse.type === 'server_tool_use') continue;
    const { toolUseId: id, name, input } = toolUse;
    choice.toolCalls.push({ id, name, arguments: typeof input === 'string' ? input : JSON.stringify(input) });
  }
  return { choices: { 0: choice }, usage: usage ? usageOf(usage) : null };
}

function usageOf({ outputTokens, totalTokens, cacheReadInputTokens = 0 }: Usage): AnswerUsage {
  const prompt = totalTokens - outputTokens;
  return { prompt, completion: outputTokens, total: totalTokens, cached: cacheReadInputTokens, reasoning: 0 };
}

/** A stream's blocks; a tool's input stays text. */
function bodyOf(stream: string): Body {
  const content: Block[] = [];
  const body: Body = { output: { message: { content } }, stopReason: null };
  for (const { headers, payload } of messagesOf(stream)) {
    if (headers[':message-type'] !== 'event') break;
    const { contentBlockIndex: index, start, delta, stopReason, usage }: StreamPayload = JSON.parse(payload);
    if (usage) body.usage = usage;
    if (stopReason) body.stopReason = stopReason;
    if (start) content[index] = start;
    if (!delta) continue;
    content[index] ??= {};
    const block = content[index];
    if (delta.text) block.text = (block.text ?? '') + delta.text;
    if (delta.toolUse && block.toolUse) block.toolUse.input = (block.toolUse.input ?? '') + delta.toolUse.input;
    if (delta.reasoningContent?.text) {
      const soFar = block.reasoningContent?.reasoningText?.text ?? '';
      block.reasoningContent = { reasoningText: { text: soFar + delta.reasoningContent.text } };
    }
  }
  for (const { toolUse } of content) if (toolUse) toolUse.input ||= '{}';
  return body;
}

/** The same stream with unknown messages added. */
function strewn(stream: string): string {
  const strange = [
    awsEvent('initial-response', {}),
    awsEvent('contentBlockWonder', { contentBlockIndex: 0, wonder: true }),
    awsEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { wonder: { text: 'x' } }, p: 'abc' }),
    awsBytes({ headers: { ':message-type': 'event', ':event-type': 'note' }, payload: 'not JSON' }),
    awsBytes({ headers: { ':message-type': 'rumour' }, payload: '' }),
  ];
  return messagesOf(stream)
    .flatMap((message) => [...strange, awsBytes(message)])
    .map((bytes) => bytes.toString('latin1'))
    .join('');
}

function untilFinish(stream: string) {
  const messages = messagesOf(stream);
  return messages.slice(
    0,
    messages.findIndex(({ headers }) => headers[':event-type'] === 'messageStop'),
  );
}

function lengthOf(messages: ReturnType<typeof awsMessages>): number {
  return messages.reduce((length, message) => length + awsBytes(message).length, 0);
}

function messagesOf(stream: NonNullable<Exchange['stream']>): ReturnType<typeof awsMessages> {
  return awsMessages(Buffer.from(stream, 'latin1'));
}
