import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { MODEL_NAME } from './models.settings.js';
import { keyOf, mistakesOf, problemOf } from './schema-faults.js';

/** A YAML file of the configuration. */
export interface ConfigFile<Value> {
  readonly path: string;
  /** Its content, valid or not; undefined if it cannot be read. */
  readonly content: unknown;
  /** Its validated content; undefined if it has mistakes. */
  readonly value: Value | undefined;
  /** A mistake at a path of the content; `key` names it instead of the path. */
  fault(path: readonly PropertyKey[], problem: string, key?: string): Fault;
}

export interface ReadYaml {
  readonly content: unknown;
  lineOf(path: readonly PropertyKey[]): number | null;
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
  const { content, lineOf } = readYaml(path, problems);
  const fault = (at: readonly PropertyKey[], problem: string, key?: string): Fault => {
    const model = idOf(content, at[0]);
    return { file: path, line: lineOf(at), model, key: key ?? keyOf(model === null ? at : at.slice(1)), problem };
  };
  const result = problems.length === 0 ? schema.safeParse(content, { error: problemOf }) : undefined;
  const mistakes = (result?.error?.issues ?? []).flatMap(mistakesOf);
  faults.push(...problems, ...mistakes.map(([at, problem]) => fault(at, problem)));
  return { path, content, value: result?.data, fault };
}

/** The result for an empty file. */
export function emptyConfigFile<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
): ConfigFile<z.output<Schema>> {
  const path = join(folder, name);
  const fault = (at: readonly PropertyKey[], problem: string, key = keyOf(at)): Fault => ofFile(path, problem, key);
  return { path, content: null, value: schema.parse(null), fault };
}

const NOTHING: ReadYaml = { content: undefined, lineOf: () => null };

function readYaml(file: string, faults: Fault[]): ReadYaml {
  try {
    return parseYaml(readFileSync(file, 'utf8'), file, faults);
  } catch (error) {
    faults.push(ofFile(file, `cannot be read (${(error as NodeJS.ErrnoException).code})`));
    return NOTHING;
  }
}

/** Reads YAML or JSON; adds its mistakes to `faults`, as those of `file`. */
export function parseYaml(text: string, file: string, faults: Fault[]): ReadYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  for (const { message, linePos } of document.errors) {
    const problem = (message.split('\n')[0] ?? '').replace(/ at line.*$/, '');
    faults.push({ ...ofFile(file, `is not valid YAML: ${problem}`), line: linePos?.[0].line ?? 1 });
  }
  if (document.errors.length > 0) return NOTHING;
  for (const offset of prototypeKeys(document)) {
    faults.push({ ...ofFile(file, 'is not a known key', '__proto__'), line: lines.linePos(offset).line });
  }
  try {
    // A copy whose strings are not slices of the file's text: see `flatText`.
    const content: unknown = structuredClone(document.toJS());
    return { content, lineOf: (path) => lines.linePos(offsetOf(document, path)).line || null };
  } catch (error) {
    faults.push(ofFile(file, `is not valid YAML: ${(error as Error).message}`));
    return NOTHING;
  }
}

function ofFile(file: string, problem: string, key = 'the file'): Fault {
  return { file, line: null, model: null, key, problem };
}

/** Where the value at a path starts; for a missing one, its nearest ancestor. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const part of path) {
    const parent = isAlias(node) ? node.resolve(document) : node;
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!isScalar(pair?.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(parent)) {
      node = parent.items[Number(part)];
      if (!isNode(node)) break;
      offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

/** The id of an entry of a list, if it has a harmless one. */
function idOf(content: unknown, index: PropertyKey | undefined): string | null {
  const id = Array.isArray(content) && typeof index === 'number' ? Object(content[index]).id : null;
  return typeof id === 'string' && MODEL_NAME.test(id) ? id : null;
}

/** Schemas ignore this key, so it would be dropped silently. */
function prototypeKeys(document: Document): number[] {
  const offsets: number[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value === '__proto__') offsets.push(key.range?.[0] ?? 0);
    },
  });
  return offsets;
}

/** One mistake in the configuration: its location and the problem, without the value itself. */
export interface Fault {
  file: string;
  /** Null outside the yaml files. */
  line: number | null;
  /** The model of models.yaml, if it has a valid id. */
  model: string | null;
  key: string;
  problem: string;
}

/** The configuration is not valid; the message lists every mistake on a line of its own. */
export class SettingsError extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(faultText).join('\n'));
    this.name = 'SettingsError';
  }
}

/** `models.yaml:312 (model m-clash): alias 'gpt-4o' belongs to 'm-alias'` */
export function faultText({ file, line, model, key, problem }: Fault): string {
  return `${file}${line === null ? '' : `:${line}`}${model === null ? '' : ` (model ${model})`}: ${key} ${problem}`;
}
