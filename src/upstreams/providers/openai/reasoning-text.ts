import { type JsonObject, textOf } from '../../contract/json.js';
import type { Dialect } from './dialect.js';

/** Makes the function that finds the model's thoughts in a message or a delta; undefined where it tells none. */
export function reasoningReader({ reasoningFields }: Dialect): (part: JsonObject) => string | undefined {
  const [first = 'reasoning_content', ...others] = reasoningFields ?? [];
  if (others.length === 0) return (part) => textOf(part[first]);
  return (part) => {
    let text = textOf(part[first]);
    for (const field of others) text ??= textOf(part[field]);
    return text;
  };
}
