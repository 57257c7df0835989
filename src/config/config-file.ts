import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import type { Fault } from './settings.error.js';

/** Reads and validates one YAML file; its mistakes are added to `faults`, and then the result is undefined. */
export function readConfigFile<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
  faults: Fault[],
): z.output<Schema> | undefined {
  const file = join(folder, name);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    faults.push({ file, key: 'the file', problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` });
    return undefined;
  }
  const document = parseDocument(text);
  for (const { message, linePos } of document.errors) {
    const problem = (message.split('\n')[0] ?? '').replace(/ at line.*$/, '');
    faults.push({ file, key: `line ${linePos?.[0].line ?? 1}`, problem: `is no valid YAML: ${problem}` });
  }
  if (document.errors.length > 0) return undefined;
  const result = schema.safeParse(document.toJS());
  if (result.success) return result.data;
  faults.push(...result.error.issues.flatMap((issue) => toFaults(file, issue)));
  return undefined;
}

function toFaults(file: string, issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ file, key: toPath([...issue.path, key]), problem: 'is not a known key' }));
  }
  const required = issue.code === 'invalid_type' && issue.input === undefined;
  return [{ file, key: toPath(issue.path), problem: required ? 'is required' : toProblem(issue.message) }];
}

function toProblem(message: string): string {
  return message
    .replace(/^Invalid input: expected (\w+), received (\w+)$/, 'must be a $1, not $2')
    .replace(/^Invalid option: /, 'must be ')
    .replace(/^Too (small|big): expected \w+ to be /, 'must be ');
}

function toPath(path: PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text.replace(/^\./, '') || 'the file';
}
