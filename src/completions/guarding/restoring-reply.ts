import { type Masks } from '../../guards/masks.js';
import { parseExactly } from '../../json/exact-json.js';
import type { AnswerSink, Reply } from '../formats/call-format.js';

/** What writes an answer, and what stores it for a repeat. */
interface Writing {
  readonly reply: Reply;
  readonly stored: AnswerSink | null;
}

/**
 * Where the request had masked texts, the client gets the originals, while `stored` gets the answer with placeholders: a
 * repeat is restored with the texts of the request that repeats.
 */
export function restoringReply({ reply, stored }: Writing, masks: Masks): Writing {
  if (!masks.isRestoring) return { reply, stored };
  const passed = (text: string) => {
    stored?.add(text);
    return restored(text, masks);
  };
  return {
    reply: {
      heartbeat: reply.heartbeat,
      whole: (completion) => passed(reply.whole(completion)),
      next: (chunk) => passed(reply.next(chunk)),
      end: () => passed(reply.end()),
      fail: (error) => reply.fail(error),
    },
    stored: stored && { add: () => undefined, keep: () => stored.keep(), release: () => stored.release() },
  };
}

const PLACEHOLDER = /\[[A-Z][A-Z0-9_]*_\d+\]/;

/** An answer, JSON or SSE text, with the originals of its placeholders. */
export function restored(text: string, masks: Masks): string {
  if (!masks.isRestoring || !PLACEHOLDER.test(text)) return text;
  if (text.startsWith('{')) return restoredJson(text, masks);
  return text
    .split('\n\n')
    .map((event) => (PLACEHOLDER.test(event) ? restoredEvent(event, masks) : event))
    .join('\n\n');
}

function restoredEvent(event: string, masks: Masks): string {
  const lines = event.split('\n');
  const data = lines.flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []));
  const others = lines.filter((line) => !line.startsWith('data: '));
  return [...others, `data: ${restoredJson(data.join('\n'), masks)}`].join('\n');
}

function restoredJson(json: string, masks: Masks): string {
  return JSON.stringify(restoredValue(parseExactly(json), '', false, masks));
}

const JSON_FIELDS = new Set(['arguments', 'partial_json']);

/** `isDeltaJson`: whether the field `delta` is a piece of JSON text. */
function restoredValue(value: unknown, field: string, isDeltaJson: boolean, masks: Masks): unknown {
  if (typeof value === 'string') {
    return masks.restore(value, JSON_FIELDS.has(field) || (isDeltaJson && field === 'delta'));
  }
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map((entry) => restoredValue(entry, field, isDeltaJson, masks));
  const isJson = 'type' in value && String(value.type).endsWith('arguments.delta');
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, restoredValue(inner, name, isJson, masks)]),
  );
}
