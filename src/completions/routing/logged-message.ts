import type { ChatMessage } from '../../upstreams/contract/chat.types.js';

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
