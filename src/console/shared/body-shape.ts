import { invalidRequest } from '../../common/gateway.error.js';

const MAX_FIELDS = 30;
/** The field with an object of plain values. */
const GROUP = 'limits';

/**
 * Refuses bodies that no request of the console's API has: all of them are objects with a few fields, each a plain
 * value or a list of those; only limits are in an object of their own. Runs before the validation with DTO classes,
 * which takes seconds for thousands of fields.
 */
export function checkBodyShape(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest('invalid_type', null, 'The request body must be a JSON object.');
  }
  const fields = Object.entries(body);
  checkCount(fields, null);
  for (const [name, value] of fields) {
    if (name === GROUP && typeof value === 'object' && value !== null && !Array.isArray(value)) checkGroup(value);
    else checkField(name, value);
  }
}

function checkGroup(value: object): void {
  const fields = Object.entries(value);
  checkCount(fields, GROUP);
  for (const [name, item] of fields) checkField(`${GROUP}.${name}`, item);
}

function checkCount({ length }: readonly unknown[], field: string | null): void {
  if (length <= MAX_FIELDS) return;
  throw invalidRequest('invalid_value', field, `${field ?? 'The request body'} has more than ${MAX_FIELDS} fields.`);
}

function checkField(name: string, value: unknown): void {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.some((item) => typeof item === 'object' && item !== null)) {
    throw invalidRequest('invalid_type', name, `${name} must be a plain value or a list of plain values.`);
  }
  if (items.some((item) => typeof item === 'string' && !isStorable(item))) {
    throw invalidRequest('invalid_value', name, `${name} must be text without U+0000 and unpaired surrogates.`);
  }
}

/** The database rejects both, and half of a surrogate pair is not a character. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
