import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, isScalar, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { problemOf, toFaults } from './schema-faults.js';
import type { Fault } from './settings.error.js';

/** A YAML file of the configuration. */
export interface ConfigFile<Value> {
  readonly path: string;
  /** Its content, valid or not; undefined if it cannot be read. */
  readonly content: unknown;
  /** Its validated content; undefined if it has mistakes. */
  readonly value: Value | undefined;
}

/** Reads and validates one YAML file; adds its mistakes to `faults`. */
export function readConfigFile<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
  faults: Fault[],
): ConfigFile<z.output<Schema>> {
  const path = join(folder, name);
  const problems: Fault[] = [];
  const content = readYaml(path, problems);
  const result = problems.length === 0 ? schema.safeParse(content, { error: problemOf }) : undefined;
  faults.push(...problems, ...(result?.error?.issues ?? []).flatMap((issue) => toFaults(path, issue)));
  return { path, content, value: result?.data };
}

/** The result for an empty file. */
export function emptyConfigFile<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
): ConfigFile<z.output<Schema>> {
  return { path: join(folder, name), content: null, value: schema.parse(null) };
}

function readYaml(file: string, faults: Fault[]): unknown {
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
    faults.push({ file, key: `line ${linePos?.[0].line ?? 1}`, problem: `is not valid YAML: ${problem}` });
  }
  if (document.errors.length > 0) return undefined;
  faults.push(...prototypeKeys(document, file));
  try {
    // A copy whose strings are not slices of the file's text: see `flatText`.
    return structuredClone(document.toJS());
  } catch (error) {
    faults.push({ file, key: 'the file', problem: `is not valid YAML: ${(error as Error).message}` });
    return undefined;
  }
}

/** Schemas ignore this key, so it would be dropped silently. */
function prototypeKeys(document: Document, file: string): Fault[] {
  const faults: Fault[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value === '__proto__') {
        faults.push({ file, key: '__proto__', problem: 'is not a known key' });
      }
    },
  });
  return faults;
}
