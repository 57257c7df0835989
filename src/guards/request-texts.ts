import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseInTurns, stringifyInTurns } from '../json/json-in-turns.js';
import { BODY_BOUNDS, type JsonBounds, JsonShape } from '../json/json-shape.js';
import type { Turns, Work } from './turns.js';

/** What stands at a place of a request's JSON: a key of an object, or a value. */
interface Place {
  readonly parent: Place | null;
  readonly key: string | number;
}

/** One string of a request, as it stands in it. */
export interface RequestText {
  readonly place: Place;
  text: string;
  /** Names and ids cannot be masked without breaking the request. */
  readonly isMaskable: boolean;
  readonly form: TextForm;
}

/** `base64`: the decoded content of an inline text file. */
type TextForm = 'plain' | 'base64';

export interface RequestTexts {
  /** Texts that the model reads as one, for example the parts of a message. */
  readonly groups: readonly (readonly RequestText[])[];
  /** Names, ids and keys, which are only looked at. */
  readonly names: readonly RequestText[];
  /** The first image, sound or file that cannot be read; null: there is none. */
  readonly media: Place | null;
}

/** Fields whose strings are free text. Strings of all other fields are names: a list that leaves out a field is safe. */
const FREE_TEXT = new Set(
  (
    'text content input instructions prompt description output title refusal reasoning reasoning_content thinking ' +
    'transcript query queries documents document system suffix user safety_identifier prompt_cache_key metadata data ' +
    'summary arguments message context citations cited_text default examples example partial result results code ' +
    'logs stdout stderr patch diff command commands developer question answer predictionContent rationale'
  ).split(' '),
);

/** Objects with values of the caller's own: their strings are free text whatever their names are. */
const FREE_OBJECTS = new Set(['arguments', 'args', 'metadata', 'input', 'response', 'variables', 'params']);

/** Whose strings are JSON. */
const JSON_TEXT = new Set(['arguments', 'partial_json']);

const BEGINS_JSON = /^\s*[[{]/;

const MEDIA_FIELDS = new Set(['url', 'image_url', 'file_data', 'data', 'file_url', 'b64_json', 'uri', 'video_url']);

/** Names that each request has; they need not be looked at. */
const FORMAT_WORDS = new Set(
  (
    'model role type content text messages input user assistant system tool developer function tools name description ' +
    'parameters properties object string number integer boolean array items required additionalProperties enum ' +
    'tool_calls tool_call_id id arguments stream stream_options include_usage max_tokens max_completion_tokens ' +
    'max_output_tokens temperature top_p stop n seed input_text output_text input_image image_url url detail auto none ' +
    'low medium high message function_call function_call_output call_id output instructions tool_use tool_result ' +
    'tool_use_id input_schema cache_control ephemeral metadata user_id thinking signature budget_tokens enabled ' +
    'reasoning effort summary store include previous_response_id response_format json_schema json_object schema strict ' +
    'title default minimum maximum anyOf const is_error source base64 media_type data image document'
  ).split(' '),
);

const DEEPEST = 200;
/** Shorter numbers identify nobody; a longer one may be a card, a phone or an account. */
const LONG_NUMBER = 1e8;

/** All strings that the body of a request has, at any API. It is not changed. */
export function* textsOf(body: unknown, turns: Turns): Work<RequestTexts> {
  const walk = new Walk(turns);
  yield* walk.value(body, null, '', false, 0);
  return { groups: walk.groups, names: walk.names, media: walk.media };
}

class Walk {
  readonly groups: RequestText[][] = [];
  readonly names: RequestText[] = [];
  media: Place | null = null;

  constructor(private readonly turns: Turns) {}

  /** `field`: the name of the field that holds the value, also if it is in a list there. */
  *value(value: unknown, place: Place | null, field: string, isFree: boolean, depth: number): Work<void> {
    if (this.simple(value, place, field, isFree)) return;
    if (typeof value === 'string') yield* this.json(value, place as Place);
    else if (depth > DEEPEST || JSON.isRawJSON(value)) this.name(JSON.stringify(value), place as Place);
    else if (Array.isArray(value)) yield* this.list(value, place, field, isFree, depth);
    else yield* this.object(value as Readonly<Record<string, unknown>>, place, field, isFree, depth);
  }

  private *object(
    value: Readonly<Record<string, unknown>>,
    place: Place | null,
    field: string,
    isFree: boolean,
    depth: number,
  ): Work<void> {
    const isFreeObject = isFree || FREE_OBJECTS.has(field);
    // Not for-in, whose code in a generator V8 would compile and throw away again and again.
    for (const [key, member] of Object.entries(value)) {
      const own: Place = { parent: place, key };
      if (!FORMAT_WORDS.has(key)) this.names.push({ place: own, text: key, isMaskable: false, form: 'plain' });
      const isOver = this.turns.after(typeof member === 'string' ? member.length : key.length);
      if (isOver) yield isOver;
      if (typeof member === 'string' && MEDIA_FIELDS.has(key) && this.mediaOf(member, own, value)) continue;
      if (!this.simple(member, own, key, isFreeObject)) yield* this.value(member, own, key, isFreeObject, depth + 1);
    }
  }

  private *list(
    value: readonly unknown[],
    place: Place | null,
    field: string,
    isFree: boolean,
    depth: number,
  ): Work<void> {
    const first = this.groups.length;
    let isJoined = false;
    for (let index = 0; index < value.length; index++) {
      const item = value[index];
      const before = this.groups.length;
      const own: Place = { parent: place, key: index };
      const isOver = this.turns.after(typeof item === 'string' ? item.length : 0);
      if (isOver) yield isOver;
      // The name of a list says nothing about the fields of its objects: `input` is a list of messages, or arguments.
      const itemField = typeof item === 'string' ? field : '';
      if (!this.simple(item, own, itemField, isFree)) yield* this.value(item, own, itemField, isFree, depth + 1);
      const isPart = typeof item === 'object' && item !== null && typeof (item as { text?: unknown }).text === 'string';
      const added = this.groups.length - before;
      // Text parts of one message are read as one text; anything else between them ends it.
      if (isPart && isJoined && added > 0 && before > first) {
        const [joined, ...others] = this.groups.splice(before);
        for (const piece of joined as RequestText[]) (this.groups[before - 1] as RequestText[]).push(piece);
        for (const other of others) this.groups.push(other);
      }
      isJoined = isPart;
    }
  }

  /** Whether the value needs no walk of its own, which takes a generator. */
  private simple(value: unknown, place: Place | null, field: string, isFree: boolean): boolean {
    if (typeof value === 'object') return value === null;
    if (typeof value === 'number') {
      if (Math.abs(value) >= LONG_NUMBER) this.name(String(value), place as Place);
    } else if (typeof value === 'string' && value !== '') {
      if (!isFree && !FREE_TEXT.has(field)) {
        if (!FORMAT_WORDS.has(value)) this.name(value, place as Place);
      } else if (JSON_TEXT.has(field) && BEGINS_JSON.test(value)) return false;
      else this.group(value, place as Place);
    }
    return true;
  }

  /** JSON in a string. */
  private *json(text: string, place: Place): Work<void> {
    const own: Place = { parent: place, key: JSON_KEY };
    const value = yield* jsonIn(text);
    if (value === TOO_COMPLEX) this.name(unescaped(text), place);
    else if (value === undefined) this.group(text, place);
    else yield* this.value(value, own, 'arguments', true, 1);
  }

  private group(text: string, place: Place): void {
    this.groups.push([{ place, text, isMaskable: true, form: 'plain' }]);
  }

  private name(text: string, place: Place): void {
    this.names.push({ place, text, isMaskable: false, form: 'plain' });
  }

  /** Whether the string is the content of a medium; the text of an inline text file is added. */
  private mediaOf(text: string, place: Place, holder: Readonly<Record<string, unknown>>): boolean {
    const isUrl = text.startsWith('data:');
    const type = isUrl
      ? text.slice(5, 5 + 128).split(/[;,]/, 1)[0]
      : (holder.media_type ?? holder.mime_type ?? holder.mimeType);
    const isEncoded = isUrl
      ? text.slice(0, 256).includes(';base64,')
      : holder.type === 'base64' || holder.format !== undefined || holder.mimeType !== undefined;
    if (!isUrl && !(place.key === 'data' && isEncoded)) return place.key === 'b64_json';
    if (typeof type === 'string' && /^(?:text\/|application\/(?:json|xml|x?yaml|csv))/.test(type) && isEncoded) {
      const content = isUrl ? text.slice(text.indexOf(',') + 1) : text;
      const decoded = Buffer.from(content, 'base64').toString();
      this.groups.push([{ place, text: decoded, isMaskable: true, form: 'base64' }]);
      return true;
    }
    if (!isEncoded) return false;
    this.media ??= place;
    return true;
  }
}

/** Stands in a path for JSON text that was parsed. */
const JSON_KEY = '';

/** Above this length, JSON in a string is measured before it is parsed. */
const LONG_JSON = 64 * 1024;

/** What is parsed in a few milliseconds, apart from its long strings, which are read in turns. */
const NESTED_BOUNDS: JsonBounds = { ...BODY_BOUNDS, values: 10_000, layouts: 2000, shortBytes: 512 * 1024 };

const TOO_COMPLEX = Symbol('JSON that would take too long to parse');

/** Undefined: it is not JSON. */
function* jsonIn(text: string): Work<unknown> {
  try {
    if (text.length < LONG_JSON) return JSON.parse(text);
    const bytes = Buffer.from(text);
    const shape = new JsonShape(NESTED_BOUNDS);
    if (!shape.admits(bytes)) return TOO_COMPLEX;
    return yield parseInTurns(bytes, shape.strings, () => nextTurn());
  } catch {
    return undefined;
  }
}

/** Not parsed, so a match in it is blocked. */
function unescaped(text: string): string {
  return text.replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The path for messages: it ends before the first key that is the caller's own, as the key may be what was found. */
export function knownPathOf(place: Place | null): string | null {
  let known = place;
  for (let at = place; at !== null; at = at.parent) {
    if (typeof at.key === 'string' && !isKnownKey(at.key)) known = at.parent;
  }
  return pathOf(known) || null;
}

function isKnownKey(key: string): boolean {
  return (
    key === JSON_KEY || FORMAT_WORDS.has(key) || FREE_TEXT.has(key) || FREE_OBJECTS.has(key) || MEDIA_FIELDS.has(key)
  );
}

/** `messages[0].content[1].text` */
export function pathOf(place: Place | null): string {
  let path = '';
  for (let at = place; at !== null; at = at.parent) {
    if (at.key === JSON_KEY) continue;
    const step = typeof at.key === 'number' ? `[${at.key}]` : at.key;
    path = path === '' || path.startsWith('[') ? step + path : `${step}.${path}`;
  }
  return path;
}

/** A copy of the body with the changed texts; unchanged parts are shared with the original. */
export function* withTexts(body: unknown, changed: Iterable<RequestText>, turns: Turns): Work<unknown> {
  const edits: Edit = {};
  for (const text of changed) {
    editAt(edits, text.place).text = text;
    const isOver = turns.after(0);
    if (isOver) yield isOver;
  }
  return edits.children === undefined ? body : yield* edited(body, edits, turns);
}

interface Edit {
  children?: Map<string | number, Edit>;
  text?: RequestText;
}

const NO_EDITS = new Map<string | number, Edit>();

function editAt(root: Edit, place: Place): Edit {
  const parent = place.parent === null ? root : editAt(root, place.parent);
  parent.children ??= new Map();
  let edit = parent.children.get(place.key);
  if (!edit) {
    edit = {};
    parent.children.set(place.key, edit);
  }
  return edit;
}

function* edited(value: unknown, { children = NO_EDITS, text }: Edit, turns: Turns): Work<unknown> {
  if (text) return text.form === 'plain' ? text.text : encoded(value as string, text.text);
  if (typeof value === 'string') {
    const json = yield* edited(yield* jsonIn(value), children.get(JSON_KEY) as Edit, turns);
    if (value.length < LONG_JSON) return JSON.stringify(json);
    return String(yield stringifyInTurns(json as object, () => nextTurn()));
  }
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  for (const [key, edit] of children) {
    const isOver = turns.after(edit.text?.text.length ?? 0);
    if (isOver) yield isOver;
    copy[key] = yield* edited(copy[key], edit, turns);
  }
  return copy;
}

function encoded(original: string, text: string): string {
  const content = Buffer.from(text).toString('base64');
  return original.startsWith('data:') ? original.slice(0, original.indexOf(',') + 1) + content : content;
}
