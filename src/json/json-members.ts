/** Member name → the JSON text of its new value, or edits within its object. */
export interface MemberEdits {
  readonly [name: string]: string | MemberEdits;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_LIST = 0x5d;

/**
 * Replaces the values of members in the text of a JSON object. All other characters stay as they are, and members that
 * the text lacks are not added. The text must be valid JSON; any other text is returned in an unspecified form.
 */
export function withMembers(json: string, edits: MemberEdits): string {
  const editor = new MemberEditor(json);
  editor.edit(edits);
  return editor.text();
}

/** The string value of a member of the outermost object; undefined if there is none, or if it has escapes. */
export function textMember(json: string, name: string): string | undefined {
  const cursor = new JsonCursor(json);
  if (!cursor.enterObject()) return undefined;
  while (cursor.nextMember()) {
    const { name: found, at } = cursor;
    cursor.skipValue();
    if (found !== name) continue;
    const value = json.slice(at + 1, cursor.at - 1);
    return json.charCodeAt(at) === QUOTE && !value.includes('\\') ? value : undefined;
  }
  return undefined;
}

/** Steps through the members of objects in JSON text. */
class JsonCursor {
  at = 0;
  /** The name of the member whose value is at `at`; escapes are not resolved. */
  name = '';

  constructor(readonly json: string) {}

  enterObject(): boolean {
    this.skipSpace();
    if (this.json.charCodeAt(this.at) !== OPEN_OBJECT) return false;
    this.at++;
    return true;
  }

  /** Moves to the next member's value. False: the object has ended, and `at` is after it. */
  nextMember(): boolean {
    const { json } = this;
    this.skipSpace();
    if (json.charCodeAt(this.at) === COMMA) {
      this.at++;
      this.skipSpace();
    }
    if (json.charCodeAt(this.at) !== QUOTE) {
      this.at++;
      return false;
    }
    const from = this.at + 1;
    this.at = endOfString(json, from);
    this.name = json.slice(from, this.at - 1);
    this.skipSpace();
    if (json.charCodeAt(this.at) !== COLON) return false;
    this.at++;
    this.skipSpace();
    return true;
  }

  skipValue(): void {
    const { json } = this;
    const first = json.charCodeAt(this.at);
    if (first === QUOTE) this.at = endOfString(json, this.at + 1);
    else if (first === OPEN_OBJECT || first === OPEN_LIST) this.skipContainer();
    else this.skipScalar();
  }

  private skipContainer(): void {
    const { json } = this;
    let depth = 0;
    let at = this.at;
    while (at < json.length) {
      const code = json.charCodeAt(at++);
      if (code === QUOTE) at = endOfString(json, at);
      else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++;
      else if ((code === CLOSE_OBJECT || code === CLOSE_LIST) && --depth === 0) break;
    }
    this.at = at;
  }

  /** A number, `true`, `false` or `null`. */
  private skipScalar(): void {
    const { json } = this;
    while (this.at < json.length) {
      const code = json.charCodeAt(this.at);
      if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_LIST || code <= SPACE) return;
      this.at++;
    }
  }

  private skipSpace(): void {
    while (this.json.charCodeAt(this.at) <= SPACE) this.at++;
  }
}

class MemberEditor extends JsonCursor {
  private readonly pieces: string[] = [];
  private copied = 0;

  edit(edits: MemberEdits): void {
    if (!this.enterObject()) return;
    while (this.nextMember()) {
      const edit = Object.hasOwn(edits, this.name) ? edits[this.name] : undefined;
      if (typeof edit === 'string') this.replaceValue(edit);
      else if (edit && this.json.charCodeAt(this.at) === OPEN_OBJECT) this.edit(edit);
      else this.skipValue();
    }
  }

  text(): string {
    return this.copied === 0 ? this.json : this.pieces.join('') + this.json.slice(this.copied);
  }

  private replaceValue(value: string): void {
    this.pieces.push(this.json.slice(this.copied, this.at), value);
    this.skipValue();
    this.copied = this.at;
  }
}

/** The position after the closing quote; the text's length if there is none. */
function endOfString(json: string, from: number): number {
  let at = from;
  for (;;) {
    const quote = json.indexOf('"', at);
    if (quote < 0) return json.length;
    if (!isEscaped(json, from, quote)) return quote + 1;
    at = quote + 1;
  }
}

function isEscaped(json: string, from: number, quote: number): boolean {
  let at = quote;
  while (at > from && json.charCodeAt(at - 1) === BACKSLASH) at--;
  return (quote - at) % 2 === 1;
}
