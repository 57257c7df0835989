import { isObject } from './json.js';

const FILE_TYPES: ReadonlySet<unknown> = new Set(['file', 'input_file']);

/** The path of the first file within a conversation, in the form of Chat Completions or Responses; null: it has none. */
export function fileIn(value: unknown): string | null {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      const within = fileIn(entry);
      if (within !== null) return `[${index}]${within}`;
    }
    return null;
  }
  if (!isObject(value)) return null;
  if (FILE_TYPES.has(value.type)) return '';
  for (const name of ['content', 'output']) {
    const within = fileIn(value[name]);
    if (within !== null) return `.${name}${within}`;
  }
  return null;
}
