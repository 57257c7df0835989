import { invalidRequest } from '../common/gateway.error.js';

const MOST_FIELDS = 30;

/**
 * Refuses what no body of the console's API is: all of them are objects of a few fields, each a plain value or a list of
 * such. Stands before the check against the DTO classes, which takes seconds for thousands of fields.
 */
export function checkBodyShape(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest('invalid_type', null, 'The request body must be a JSON object.');
  }
  const fields = Object.entries(body);
  if (fields.length > MOST_FIELDS) {
    throw invalidRequest('invalid_value', null, `The request body has more than ${MOST_FIELDS} fields.`);
  }
  for (const [name, value] of fields) checkField(name, value);
}

function checkField(name: string, value: unknown): void {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.some((item) => typeof item === 'object' && item !== null)) {
    throw invalidRequest('invalid_type', name, `${name} must be a plain value or a list of such.`);
  }
  if (items.some((item) => typeof item === 'string' && !isStorable(item))) {
    throw invalidRequest(
      'invalid_value',
      name,
      `${name} must be text without U+0000 and without halves of characters.`,
    );
  }
}

/** The database takes neither, and a half of a surrogate pair is no character. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
