import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** The mistakes that a schema found, each with its path; each unknown key is one. */
export function mistakesOf(issue: z.core.$ZodIssue): (readonly [path: readonly PropertyKey[], problem: string])[] {
  if (issue.code !== 'unrecognized_keys') return [[issue.path, issue.message]];
  return issue.keys.map((key) => [[...issue.path, key], 'is not a known key']);
}

/** The message of a fault for which the schema has none; the value itself is not repeated. */
export function problemOf(issue: RawIssue): string | undefined {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${withArticle(EXPECTED[issue.expected] ?? issue.expected)}, not ${kindOf(issue.input)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    case 'invalid_key':
      return issue.issues[0]?.message;
    default:
      return undefined;
  }
}

const EXPECTED: Readonly<Record<string, string>> = {
  record: 'object',
  array: 'list',
  int: 'integer',
};

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a fraction';
  return withArticle(typeof value);
}

function withArticle(noun: string): string {
  if (noun === 'null') return noun;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** `targets[0].upstream` */
export function keyOf(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'the file';
}
