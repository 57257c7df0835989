export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

/** How a language writes a JSON value. */
interface Dialect {
  indent: string;
  yes: string;
  no: string;
  nothing: string;
  text: (value: string) => string;
  name: (name: string) => string;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const python: Dialect = {
  indent: '    ',
  yes: 'True',
  no: 'False',
  nothing: 'None',
  text: (value) => JSON.stringify(value),
  name: (name) => JSON.stringify(name),
};

const javaScript: Dialect = {
  indent: '  ',
  yes: 'true',
  no: 'false',
  nothing: 'null',
  text: singleQuoted,
  name: (name) => (IDENTIFIER.test(name) ? name : singleQuoted(name)),
};

/** A value in Python, at an indentation level. */
export function pythonLiteral(value: Json, depth = 0): string {
  return literal(value, python, depth);
}

/** A value in JavaScript, at an indentation level. */
export function javaScriptLiteral(value: Json, depth = 0): string {
  return literal(value, javaScript, depth);
}

function literal(value: Json, dialect: Dialect, depth: number): string {
  if (value === null) return dialect.nothing;
  if (typeof value === 'boolean') return value ? dialect.yes : dialect.no;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return dialect.text(value);
  if (isList(value)) {
    return inBrackets(
      '[]',
      value.map((item) => literal(item, dialect, depth + 1)),
      dialect,
      depth,
    );
  }
  const fields = Object.entries(value).flatMap(([name, field]) =>
    field === undefined ? [] : [`${dialect.name(name)}: ${literal(field, dialect, depth + 1)}`],
  );
  return inBrackets('{}', fields, dialect, depth);
}

const LINE = 72;

/** On one line if it is short, otherwise one item per line. */
function inBrackets(brackets: '[]' | '{}', parts: string[], dialect: Dialect, depth: number): string {
  const [open, close] = [brackets.charAt(0), brackets.charAt(1)];
  if (parts.length === 0) return brackets;
  const joined = parts.join(', ');
  if (joined.length <= LINE - depth * dialect.indent.length && !joined.includes('\n')) {
    const space = brackets === '{}' && dialect === javaScript ? ' ' : '';
    return `${open}${space}${joined}${space}${close}`;
  }
  const inner = dialect.indent.repeat(depth + 1);
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${dialect.indent.repeat(depth)}${close}`;
}

function singleQuoted(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The parts of the programs that differ by API. */
export interface SnippetApi {
  readonly id: 'chat' | 'responses' | 'messages';
  readonly name: string;
  /** After the base URL, which ends with `/v1`. */
  readonly path: string;
  /** The environment variable of the key. */
  readonly keyVariable: string;
  /** Headers of curl besides the content type. */
  readonly headers: (key: string) => readonly string[];
  /** Whether the base URL of its SDKs ends before `/v1`. */
  readonly hasShortBase?: boolean;
  readonly python: Program;
  readonly node: Program;
}

interface Program {
  readonly package: string;
  readonly import: string;
  readonly client: string;
  readonly call: string;
  /** Prints `answer`, a whole one. */
  readonly print: string;
  /** Prints `answer`, a stream. */
  readonly printStream: string;
}

const OPENAI = {
  keyVariable: 'OPENAI_API_KEY',
  headers: (key: string) => [`Authorization: Bearer ${key}`],
};
const openAiPython = { package: 'openai', import: 'from openai import OpenAI', client: 'OpenAI' };
const openAiNode = { package: 'openai', import: "import OpenAI from 'openai';", client: 'OpenAI' };

const CHAT: SnippetApi = {
  ...OPENAI,
  id: 'chat',
  name: 'Chat Completions',
  path: '/chat/completions',
  python: {
    ...openAiPython,
    call: 'chat.completions.create',
    print: 'print(answer.choices[0].message.content)',
    printStream: `for chunk in answer:
    if chunk.choices and chunk.choices[0].delta.content:
        print(chunk.choices[0].delta.content, end="", flush=True)
print()`,
  },
  node: {
    ...openAiNode,
    call: 'chat.completions.create',
    print: 'console.log(answer.choices[0].message.content);',
    printStream: `for await (const chunk of answer) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}
console.log();`,
  },
};

const RESPONSES: SnippetApi = {
  ...OPENAI,
  id: 'responses',
  name: 'Responses',
  path: '/responses',
  python: {
    ...openAiPython,
    call: 'responses.create',
    print: 'print(answer.output_text)',
    printStream: `for event in answer:
    if event.type == "response.output_text.delta":
        print(event.delta, end="", flush=True)
print()`,
  },
  node: {
    ...openAiNode,
    call: 'responses.create',
    print: 'console.log(answer.output_text);',
    printStream: `for await (const event of answer) {
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);
}
console.log();`,
  },
};

const MESSAGES: SnippetApi = {
  id: 'messages',
  name: 'Messages',
  path: '/messages',
  keyVariable: 'ANTHROPIC_API_KEY',
  headers: (key) => [`x-api-key: ${key}`, 'anthropic-version: 2023-06-01'],
  hasShortBase: true,
  python: {
    package: 'anthropic',
    import: 'from anthropic import Anthropic',
    client: 'Anthropic',
    call: 'messages.create',
    print: 'print("".join(block.text for block in answer.content if block.type == "text"))',
    printStream: `for event in answer:
    if event.type == "content_block_delta" and event.delta.type == "text_delta":
        print(event.delta.text, end="", flush=True)
print()`,
  },
  node: {
    package: '@anthropic-ai/sdk',
    import: "import Anthropic from '@anthropic-ai/sdk';",
    client: 'Anthropic',
    call: 'messages.create',
    print: "console.log(answer.content.flatMap((block) => (block.type === 'text' ? block.text : [])).join(''));",
    printStream: `for await (const event of answer) {
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') process.stdout.write(event.delta.text);
}
console.log();`,
  },
};

export const SNIPPET_APIS: readonly SnippetApi[] = [CHAT, RESPONSES, MESSAGES];
