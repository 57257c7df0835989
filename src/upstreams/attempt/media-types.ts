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
const LEADING = ['content', 'images', 'image_url', 'file', 'source', 'output'] as const;
/** Fields with a media type, alone or at the beginning of a `data:` URL. Other texts are never changed. */
const TYPED = ['image_url', 'url', 'file_data', 'media_type'] as const;

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return renamedList(value);
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  const set = (field: string, inner: unknown) => {
    copy ??= { ...value };
    copy[field] = inner;
  };
  for (const field of TYPED) {
    const text = value[field];
    if (typeof text === 'string' && JPG.test(text))
      set(
        field,
        text.replace(JPG, (_, data) => `${data ? 'data:' : ''}image/jpeg`),
      );
  }
  for (const field of LEADING) {
    const inner = value[field];
    const changed = typeof inner === 'object' ? renamed(inner) : inner;
    if (changed !== inner) set(field, changed);
  }
  return copy ?? value;
}

function renamedList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  list.forEach((entry, at) => {
    const changed = renamed(entry);
    if (changed === entry) return;
    copy ??= [...list];
    copy[at] = changed;
  });
  return copy ?? list;
}
