import { isObject, type JsonObject, listOf, objectOf } from '../../upstreams/contract/json.js';
import type { Path } from './answer-texts.js';

/** A piece of a text in an event of a native stream. */
export interface NativeDelta {
  /** The same for all pieces of one text. */
  readonly key: string;
  readonly path: Path;
  readonly text: string;
  /** The event with another text. */
  with(text: string): JsonObject;
}

/** The answers of one native API. */
export interface NativeForm {
  /** Null: the event has no piece of a text. */
  deltaOf(event: JsonObject): NativeDelta | null;
  /** The position of the item whose texts end before this event; `all`: those of all items. */
  endedBy(event: JsonObject): number | 'all' | null;
  /** The way to the part of the event or answer in which the model's texts are. */
  answerIn(value: JsonObject): readonly string[];
  /** What an event becomes after a text of the item at `blocked` was blocked; null: it is not sent. */
  afterBlock(event: JsonObject, blocked: number): JsonObject | null;
  /** A whole answer whose item at `blocked` was blocked. */
  blockedAnswer(answer: JsonObject, blocked: number): JsonObject;
}

const MESSAGES_PIECES: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'partial_json',
};

export const messagesForm: NativeForm = {
  deltaOf(event) {
    const delta = objectOf(event.delta);
    const field = event.type === 'content_block_delta' ? MESSAGES_PIECES[String(delta.type)] : undefined;
    const text = field === undefined ? undefined : delta[field];
    if (field === undefined || typeof text !== 'string') return null;
    return {
      key: `${event.index} ${field}`,
      path: ['content', Number(event.index), field],
      text,
      with: (other) => ({ ...event, delta: { ...delta, [field]: other } }),
    };
  },

  endedBy: ({ type, index }) => {
    if (type === 'content_block_stop') return Number(index);
    return type === 'message_delta' || type === 'message_stop' ? 'all' : null;
  },

  answerIn: ({ type, message, content }) => {
    if (isObject(message)) return ['message', 'content'];
    return type === 'message' || Array.isArray(content) ? ['content'] : [];
  },

  afterBlock(event, blocked) {
    if (event.type === 'message_delta') {
      return { ...event, delta: { ...objectOf(event.delta), stop_reason: 'refusal', stop_sequence: null } };
    }
    if (event.type === 'content_block_stop') return event.index === blocked ? event : null;
    return event.type === 'message_stop' || event.type === 'ping' || event.type === 'error' ? event : null;
  },

  blockedAnswer: (answer, blocked) => ({
    ...answer,
    content: listOf(answer.content)
      .slice(0, blocked + 1)
      .filter((block, at) => at < blocked || !isCall(block)),
    stop_reason: 'refusal',
    stop_sequence: null,
  }),
};

const FINAL = /^response\.(?:completed|incomplete|failed)$/;
/** Deltas of sound and pictures. */
const NO_TEXT = /(?:audio|image)\.delta$/;

export const responsesForm: NativeForm = {
  deltaOf(event) {
    const { type, delta, output_index: output, content_index: content, summary_index: summary } = event;
    if (typeof type !== 'string' || typeof delta !== 'string' || !type.endsWith('.delta') || NO_TEXT.test(type))
      return null;
    const isArguments = type.endsWith('arguments.delta');
    const part = [content, summary].find((index) => typeof index === 'number');
    return {
      key: `${output} ${type} ${part}`,
      path: [
        'output',
        Number(output),
        ...(typeof part === 'number' ? ['content', part] : []),
        isArguments ? 'arguments' : 'text',
      ],
      text: delta,
      with: (text) => ({ ...event, delta: text, ...('logprobs' in event && { logprobs: [] }) }),
    };
  },

  endedBy: ({ type, output_index: output }) => {
    if (FINAL.test(String(type))) return 'all';
    return String(type).endsWith('.done') && typeof output === 'number' ? output : null;
  },

  answerIn: ({ response, object }) => {
    if (isObject(response)) return ['response', 'output'];
    return object === 'response' ? ['output'] : [];
  },

  afterBlock(event, blocked) {
    if (FINAL.test(String(event.type))) {
      const response = responsesForm.blockedAnswer(objectOf(event.response), blocked);
      return { ...event, type: 'response.incomplete', response };
    }
    if (event.type === 'error') return event;
    if (event.output_index !== blocked || !String(event.type).endsWith('.done')) return null;
    return isObject(event.item) ? { ...event, item: { ...event.item, status: 'incomplete' } } : event;
  },

  blockedAnswer: (response, blocked) => ({
    ...response,
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
    output: listOf(response.output)
      .slice(0, blocked + 1)
      .flatMap((item, at) =>
        at < blocked ? [item] : isCall(item) ? [] : [{ ...objectOf(item), status: 'incomplete' }],
      ),
  }),
};

/** What remains of a call is none. */
function isCall(item: unknown): boolean {
  return /_(?:call|use)$/.test(String(objectOf(item).type));
}
