import { unreadable } from '../../../contract/upstream.error.js';

export function parsedAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable('The answer is not JSON.', { cause });
  }
}
