import { endOfId } from '../../common/completion-id.js';
import type { Reply } from '../../completions/formats/call-format.js';
import { chatReply } from '../../completions/formats/chat.format.js';
import type { ChatChoice, ChatChunkChoice } from '../../upstreams/contract/chat.types.js';

interface Envelope {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** Writes `text_completion` objects, both whole and in a stream. Stateless, so all calls share it. */
export const textCompletionsReply: Reply = {
  ...chatReply,

  whole: (completion) =>
    JSON.stringify({ ...envelope(completion), choices: completion.choices.map(ofWhole), usage: completion.usage }),

  next(chunk) {
    const choices = chunk.choices.filter(({ delta, finish_reason }) => delta.content || finish_reason !== null);
    if (choices.length === 0 && !chunk.usage) return '';
    const { usage } = chunk;
    return `data: ${JSON.stringify({ ...envelope(chunk), choices: choices.map(ofDelta), ...(usage && { usage }) })}\n\n`;
  },
};

function envelope({ id, created, model }: Envelope) {
  return { id: `cmpl-${endOfId(id)}`, object: 'text_completion', created, model };
}

function ofWhole({ index, message, finish_reason, logprobs }: ChatChoice) {
  return { text: message.content ?? '', index, logprobs, finish_reason };
}

function ofDelta({ index, delta, finish_reason, logprobs = null }: ChatChunkChoice) {
  return { text: delta.content ?? '', index, logprobs, finish_reason };
}
