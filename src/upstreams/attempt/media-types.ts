import { isObject } from '../contract/json.js';

const JPG = /^(data:)?image\/jpg(?=[;,]|$)/i;

/** The fields of a request, in any API's format. */
interface RequestFields {
  readonly messages?: unknown;
  readonly input?: unknown;
}

/**
 * The request with the media type `image/jpeg` instead of `image/jpg`, which some clients send and most APIs refuse. The
 * same object if nothing changes; parts without such a type stay the same objects.
 */
export function withKnownMediaTypes<Fields extends RequestFields>(request: Fields): Fields {
  const messages = renamed(request.messages);
  const input = renamed(request.input);
  if (messages === request.messages && input === request.input) return request;
  return { ...request, ...(messages !== request.messages && { messages }), ...(input !== request.input && { input }) };
}

/** Fields that lead to media within a message or an item. */
const LEADING: ReadonlySet<string> = new Set(['content', 'images', 'image_url', 'file', 'source', 'output']);
/** Fields with a media type, alone or at the beginning of a `data:` URL. Other texts are never changed. */
const TYPED: ReadonlySet<string> = new Set(['image_url', 'url', 'file_data', 'media_type']);

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return renamedList(value);
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  // Most messages have two fields; looking for each name in all of them takes five times as long.
  for (const field in value) {
    const inner = value[field];
    const changed = typeof inner === 'string' ? renamedText(field, inner) : LEADING.has(field) ? renamed(inner) : inner;
    if (changed === inner) continue;
    copy ??= { ...value };
    copy[field] = changed;
  }
  return copy ?? value;
}

function renamedText(field: string, text: string): string {
  if (!TYPED.has(field) || !JPG.test(text)) return text;
  return text.replace(JPG, (_, data) => `${data ? 'data:' : ''}image/jpeg`);
}

function renamedList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const changed = renamed(list[at]);
    if (changed === list[at]) continue;
    copy ??= [...list];
    copy[at] = changed;
  }
  return copy ?? list;
}
