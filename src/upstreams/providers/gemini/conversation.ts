import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { textParts, userParts } from './content-parts.js';
import { functionNames } from './function-names.js';
import { FunctionResults } from './function-results.js';
import { modelParts } from './model-parts.js';

export interface Turn {
  role: 'user' | 'model';
  parts: JsonObject[];
}

/** A conversation in the API's form. */
export interface Conversation {
  /** User and model take turns, the user first and last; no part is empty. */
  contents: Turn[];
  systemInstruction?: { parts: JsonObject[] };
}

/** The first and the last word are the user's; these stand in where the caller's conversation has none. */
const OPENING = 'Begin.';
const CLOSING = 'Continue.';

/**
 * Messages → turns. What the system or developer says goes before the conversation, wherever it stood. Messages of one
 * side in a row are one turn; the results of parallel calls stand first in theirs, in the order of the calls.
 */
export function conversationOf(call: ProviderCall): Conversation {
  const contents: Turn[] = [];
  const system: JsonObject[] = [];
  const names = functionNames(call);
  const results = new FunctionResults(call, names);

  for (const [index, message] of call.request.messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role !== 'tool') append(contents, 'user', results.take());
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(...textParts(message.content));
        break;
      case 'user':
        append(contents, 'user', userParts(message.content, `${path}.content`));
        break;
      case 'assistant':
        append(contents, 'model', modelParts(message, path, call, names));
        results.expect(message);
        break;
      case 'tool':
        results.add(message, path);
    }
  }
  append(contents, 'user', results.take());

  if (contents.length === 0)
    return { contents: [{ role: 'user', parts: system.length > 0 ? system : saying(OPENING) }] };
  if (contents[0]?.role === 'model') contents.unshift({ role: 'user', parts: saying(OPENING) });
  if (contents.at(-1)?.role === 'model') append(contents, 'user', saying(CLOSING));
  return system.length > 0 ? { contents, systemInstruction: { parts: system } } : { contents };
}

function saying(text: string): JsonObject[] {
  return [{ text }];
}

function append(contents: Turn[], role: Turn['role'], parts: JsonObject[]): void {
  if (parts.length === 0) return;
  const last = contents.at(-1);
  if (last?.role === role) last.parts.push(...parts);
  else contents.push({ role, parts });
}
