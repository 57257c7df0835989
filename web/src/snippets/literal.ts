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
