import { isObject, type ReadonlyJsonObject } from '../../contract/json.js';
import { changed } from './changed-list.js';
import type { Dialect, FieldRule, MessageText } from './dialect.js';
import { fieldPicker, fieldTest } from './field-rule.js';

/** OpenAI's fields of a content part; other fields, such as `cache_control`, belong to a single API. */
const PART_FIELDS: FieldRule = { only: ['type', 'text', 'refusal', 'image_url', 'input_audio', 'file'] };

/** Returns the function that adapts a message's content; it returns the same object if nothing changes. */
export function contentAdapter(dialect: Dialect): (message: ReadonlyJsonObject) => ReadonlyJsonObject {
  const { partFields = PART_FIELDS, adaptPart, textRoles = [] } = dialect;
  const withValidImage = imageAdapter(dialect);
  const acceptsRefusals = fieldTest(dialect.messageFields)('refusal');
  const withKnownFields = fieldPicker(partFields);

  function adapted(part: unknown): unknown {
    if (!isObject(part)) return part;
    if (part.type === 'refusal' && !acceptsRefusals) return { type: 'text', text: part.refusal };
    const adapted = withValidImage(withKnownFields(part));
    return adaptPart ? adaptPart(adapted) : adapted;
  }

  return (message) => {
    const { content } = message;
    if (!Array.isArray(content)) return acceptsRefusals ? message : withRefusalAsContent(message);
    const parts = changed(content, adapted);
    const text = typeof message.role === 'string' && textRoles.includes(message.role) ? textAlone(parts) : undefined;
    if (text !== undefined) return { ...message, content: text };
    return parts === content ? message : { ...message, content: parts };
  };
}

/** The values that most compatible APIs know. */
const IMAGE_DETAILS = ['auto', 'low', 'high'];

/** Returns the function that adapts images: an unsupported `original` becomes `high`. */
function imageAdapter({ messageFields, imageDetails }: Dialect): (part: ReadonlyJsonObject) => ReadonlyJsonObject {
  const known = imageDetails ?? ('only' in messageFields ? IMAGE_DETAILS : undefined);
  if (!known) return (part) => part;
  const nearest = known.includes('high') ? { detail: 'high' } : {};
  const withImageFields = fieldPicker({ only: known.length > 0 ? ['url', 'detail'] : ['url'] });

  return (part) => {
    const { image_url: image } = part;
    if (part.type !== 'image_url' || !isObject(image)) return part;
    const adapted = withImageFields(image);
    if (typeof adapted.detail === 'string' && !known.includes(adapted.detail)) {
      return { ...part, image_url: { url: adapted.url, ...nearest } };
    }
    return adapted === image ? part : { ...part, image_url: adapted };
  };
}

/** For APIs without a field `refusal`. */
function withRefusalAsContent(message: ReadonlyJsonObject): ReadonlyJsonObject {
  const { content, refusal } = message;
  return !content && typeof refusal === 'string' && refusal !== '' ? { ...message, content: refusal } : message;
}

/** Joins parts with newlines if all are text. */
function textAlone(parts: readonly unknown[]): string | undefined {
  const texts: string[] = [];
  for (const part of parts) {
    if (!isObject(part) || part.type !== 'text' || typeof part.text !== 'string') return undefined;
    texts.push(part.text);
  }
  return texts.join('\n');
}

export function textParts(parts: readonly unknown[]): MessageText {
  let content = '';
  for (const part of parts) if (isObject(part) && typeof part.text === 'string') content += part.text;
  return { content, reasoning: '' };
}
