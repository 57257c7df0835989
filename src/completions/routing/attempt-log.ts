import type { Logger } from '@nestjs/common';
import { GatewayError } from '../../common/gateway.error.js';
import { sanitized } from '../../common/text.js';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import type { AttemptRecord } from '../../ledger/call-record.types.js';
import type { ChatMessage } from '../../upstreams/contract/chat.types.js';
import { missingPart, type UpstreamError } from '../../upstreams/contract/upstream.error.js';
import type { LiveTarget } from '../../upstreams/target.types.js';
import { toCallerError, withoutCredential } from '../../upstreams/upstream-access.js';
import type { CompletionCall } from '../completion.call.js';
import type { Run } from './run.js';

const MAX_MESSAGE_LENGTH = 300;

/** Also stores the upstream's message, shortened and sanitized, in the attempt's record. */
export function logFailedAttempt(
  logger: Logger,
  call: CompletionCall,
  { record, candidate: { target } }: Run,
  error: UpstreamError,
): void {
  const { failure, body } = toCallerError(error, target.upstream);
  const upstreamMessage = loggedMessage(failure.message, call.request.messages);
  logger.warn('An upstream attempt failed.', {
    requestId: call.requestId,
    clientRequestId: call.clientRequestId,
    upstream: target.upstream.name,
    ...(target.keyName !== null && { key: target.keyName }),
    upstreamModel: target.upstreamModel,
    upstreamStatus: failure.status,
    ...(failure.status === 404 && { missing: missingPart(failure.message) }),
    upstreamRequestId: failure.requestId,
    upstreamMessage,
    code: body.code,
    cause: causeOf(error, target.upstream),
  });
  const stored = sanitized(upstreamMessage ?? null, MAX_MESSAGE_LENGTH);
  if (stored) record.message = stored;
}

export function codeOf(error: unknown): string {
  return (error instanceof GatewayError && error.body.code) || 'internal_error';
}

/** The technical cause. A `SyntaxError` is reduced to its name, as its message quotes the JSON. */
function causeOf({ cause }: UpstreamError, upstream: UpstreamSettings): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return cause instanceof SyntaxError ? cause.name : withoutCredential(cause.message, upstream);
}

/** End it once with `endAttempt`. `waited`: ms that the call waited because all targets were full. */
export function beginAttempt({ startedMs }: CompletionCall, target: LiveTarget, waited = 0): AttemptRecord {
  const record: AttemptRecord = {
    upstream: target.upstream.name,
    upstreamModel: target.upstreamModel,
    startMs: Math.round(performance.now() - startedMs),
    ms: 0,
    outcome: 'open',
    status: null,
  };
  if (target.keyName !== null) record.key = target.keyName;
  if (waited > 0) record.waitedMs = waited;
  return record;
}

/** `outcome`: `ok`, `aborted`, or the code of the error. */
export function endAttempt(
  { startedMs }: CompletionCall,
  record: AttemptRecord,
  outcome: string,
  status: number | null,
): void {
  record.ms = Math.round(performance.now() - startedMs) - record.startMs;
  record.outcome = outcome;
  record.status = status;
}

const MAX_LOGGED_LENGTH = 500;
/** Characters. The message is not logged if the prompt has more, because searching it would take too long. */
const MAX_SEARCHED_LENGTH = 256 * 1024;
/** This many consecutive words of the prompt are removed. */
const WORDS_IN_A_ROW = 3;
/** A text in quotation marks. */
const QUOTED = /(["'`“‘])([^"'`“”‘’]{3,})(["'`”’])/g;
const REMOVED = '[of the prompt]';

/** An upstream's error message for the log: at most 500 characters, without parts of the prompt, which is private. */
export function loggedMessage(errorMessage: string | undefined, messages: readonly ChatMessage[]): string | undefined {
  if (errorMessage === undefined) return undefined;
  const prompt = promptText(messages);
  if (prompt === null) return undefined;
  const shortened = errorMessage.slice(0, MAX_LOGGED_LENGTH);
  const unquoted = shortened.replace(QUOTED, (all, open, text, close) =>
    prompt.includes(plain(text)) ? open + REMOVED + close : all,
  );
  return withoutRuns(unquoted, prompt);
}

/** Every second element of `words` is the space between two words. */
function withoutRuns(text: string, prompt: string): string {
  const words = text.split(/(\s+)/);
  for (let at = 0; at < words.length; at += 2) {
    let end = at;
    while (end < words.length && prompt.includes(plain(words.slice(at, end + 1).join('')))) end += 2;
    if ((end - at) / 2 >= WORDS_IN_A_ROW) words.splice(at, end - at - 1, REMOVED);
  }
  return words.join('');
}

function promptText(messages: readonly ChatMessage[]): string | null {
  const texts: string[] = [];
  let length = 0;
  for (const message of messages) {
    length += lengthOfCalls(message);
    if (length > MAX_SEARCHED_LENGTH) return null;
    for (const text of textsOf(message)) {
      texts.push(text);
      length += text.length;
    }
  }
  return length > MAX_SEARCHED_LENGTH ? null : plain(texts.join('\n'));
}

/** Checked before tool calls are serialized, as they may have megabytes. */
function lengthOfCalls(message: ChatMessage): number {
  const calls = (message.role === 'assistant' && message.tool_calls) || [];
  return calls.reduce(
    (sum, call) => sum + (call.type === 'function' ? call.function.arguments : call.custom.input).length,
    0,
  );
}

function textsOf(message: ChatMessage): string[] {
  const { content } = message;
  const texts = typeof content === 'string' ? [content] : (content ?? []).flatMap(textOfPart);
  if (message.role === 'assistant' && message.tool_calls) texts.push(JSON.stringify(message.tool_calls));
  return texts;
}

function textOfPart(part: object): string[] {
  return 'text' in part && typeof part.text === 'string' ? [part.text] : [];
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase();
}
