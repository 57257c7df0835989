import type {
  AnswerImage,
  AssistantMessage,
  FunctionTool,
  ToolCall,
  ToolCallDelta,
  ToolChoice,
} from '../../contract/chat.types.js';
import { isObject, type JsonObject, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { type ExtraContent, extraContent, toolCallLimit } from '../shared/request-fields.js';
import { allowedNames, chosenName, functionTools, offeredFunctions } from '../shared/requested-tools.js';
import { mintedId, type NameForm, ToolRenaming } from '../shared/tool-calls.js';

/** Web search is a built-in tool. If the model may only choose among some tools, the others are not declared. */
export function toTools(call: ProviderCall): JsonObject {
  const { tools, tool_choice: choice, web_search_options: search } = call.request;
  const names = functionNames(call);
  const declared = mustChooseAmong(choice) ? functionTools(tools) : offeredFunctions(call.request);
  const fields: JsonObject[] = [];
  if (declared.length > 0) fields.push({ functionDeclarations: declared.map((tool) => declarationOf(tool, names)) });
  if (isObject(search)) fields.push({ googleSearch: {} });
  if (fields.length === 0) return {};
  const mode = declared.length > 0 ? callingConfig(choice, names) : undefined;
  return { tools: fields, ...(mode && { toolConfig: { functionCallingConfig: mode } }) };
}

function declarationOf({ function: { name, description, parameters } }: FunctionTool, names: ToolRenaming): JsonObject {
  return {
    name: names.toApi(name),
    ...(description != null && { description }),
    ...(parameters != null && { parametersJsonSchema: parameters }),
  };
}

/** Undefined for `auto`, the API's default. */
function callingConfig(choice: ToolChoice | undefined, names: ToolRenaming): JsonObject | undefined {
  const onlyOf = (chosen: readonly string[]) => ({
    mode: 'ANY',
    allowedFunctionNames: chosen.map((name) => names.toApi(name)),
  });
  if (choice === 'none') return { mode: 'NONE' };
  if (choice === 'required') return { mode: 'ANY' };
  if (mustChooseAmong(choice)) return onlyOf(allowedNames(choice) ?? []);
  const name = chosenName(choice);
  return name === undefined ? undefined : onlyOf([name]);
}

/** Whether one of several named tools must be called. */
function mustChooseAmong(choice: ToolChoice | undefined): boolean {
  return isObject(choice) && choice.type === 'allowed_tools' && choice.allowed_tools.mode === 'required';
}

/**
 * `FunctionDeclaration.name` of Google's SDK: "Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or
 * contain underscores, dots, colons and dashes, with a maximum length of 128."
 */
const FORM: NameForm = {
  valid: /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/,
  repair: (name) =>
    name
      .replace(/[^A-Za-z0-9_.:-]/g, '_')
      .replace(/^(?![A-Za-z_])/, '_')
      .slice(0, 128),
};

export function functionNames({ request }: ProviderCall): ToolRenaming {
  return new ToolRenaming(request.tools, FORM);
}

/**
 * The function calls of one candidate as tool calls, indexed from 0. Calls above the limit are dropped, as the model
 * repeats them after the other results.
 */
export class FunctionCalls {
  private count = 0;
  private dropped = '';
  /** The call whose arguments are still arriving. */
  private open: { index: number; args: PartialArguments } | undefined;
  private readonly limit = toolCallLimit(this.call.request);
  private readonly names = functionNames(this.call);

  constructor(
    private readonly call: ProviderCall,
    private readonly choice: number,
  ) {}

  get started(): boolean {
    return this.count > 0;
  }

  /** Calls that are not passed on, and arguments that are still arriving. */
  get unread(): string {
    return this.dropped + (this.open?.args.toJson() ?? '');
  }

  /** A `functionCall` contains a whole call, or the start, a part or the end of a call. */
  read(call: JsonObject, signature: string | undefined): ToolCallDelta[] {
    const name = textOf(call.name);
    if (name === undefined) return this.continueOpen(call);
    const before = this.completion();
    const index = this.count;
    this.count += 1;
    const continues = call.willContinue === true || Array.isArray(call.partialArgs);
    if (continues) this.begin(index, call);
    if (index >= this.limit) {
      if (!continues) this.dropped += JSON.stringify(call.args ?? {});
      return before;
    }

    const delta: ToolCallDelta = {
      index,
      id: textOf(call.id) ?? mintedId(this.call, this.choice, index),
      type: 'function',
      function: { name: this.names.toCaller(name), arguments: continues ? '' : JSON.stringify(call.args ?? {}) },
      ...(signature !== undefined && signedContent(signature)),
    };
    return [...before, delta, ...(call.willContinue === true ? [] : this.completion())];
  }

  /** Completes the arguments of an open call. */
  completion(): ToolCallDelta[] {
    if (!this.open) return [];
    const { index, args } = this.open;
    this.open = undefined;
    if (index < this.limit) return [{ index, function: { arguments: args.toJson() } }];
    this.dropped += args.toJson();
    return [];
  }

  private begin(index: number, { args, partialArgs }: JsonObject): void {
    this.open = { index, args: new PartialArguments(args) };
    this.open.args.add(partialArgs);
  }

  private continueOpen({ partialArgs, willContinue }: JsonObject): ToolCallDelta[] {
    this.open?.args.add(partialArgs);
    return willContinue === true ? [] : this.completion();
  }
}

type Container = JsonObject | unknown[];

/** Assembles streamed arguments of a call, each with its path: `$.orders[0].name`. */
export class PartialArguments {
  private readonly root: JsonObject;

  constructor(first: unknown) {
    this.root = isObject(first) ? first : {};
  }

  add(pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces) if (isObject(piece)) this.put(piece);
  }

  toJson(): string {
    return JSON.stringify(this.root);
  }

  private put(piece: JsonObject): void {
    const steps = stepsOf(piece.jsonPath);
    const last = steps.pop();
    if (last === undefined) return;
    let container: Container = this.root;
    for (const [position, step] of steps.entries()) {
      const next = steps[position + 1] ?? last;
      const inner = read(container, step);
      if (isObject(inner) || Array.isArray(inner)) container = inner;
      else container = write(container, step, typeof next === 'number' ? [] : {});
    }
    const value = pieceValue(piece);
    const before = read(container, last);
    // Pieces of one string arrive one after the other.
    write(container, last, typeof value === 'string' && typeof before === 'string' ? before + value : value);
  }
}

/** `$.a['b c'][0]` → `a`, `b c`, 0. */
function stepsOf(path: unknown): (string | number)[] {
  if (typeof path !== 'string') return [];
  const steps = path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/g);
  return Array.from(steps, ([, name, index, single, double]) =>
    index === undefined ? (name ?? (single ?? double ?? '').replace(/\\(.)/g, '$1')) : Number(index),
  );
}

function pieceValue({ stringValue, numberValue, boolValue }: JsonObject): unknown {
  return stringValue ?? numberValue ?? boolValue ?? null;
}

/** Reads own properties only, never the prototype's. */
function read(container: Container, step: string | number): unknown {
  if (Array.isArray(container)) return typeof step === 'number' ? container[step] : undefined;
  return Object.hasOwn(container, step) ? container[step] : undefined;
}

/** Lists grow by one entry at a time for any index. Keys are defined and not assigned, so that no key is special. */
function write<Value>(container: Container, step: string | number, value: Value): Value {
  if (Array.isArray(container)) container[Math.min(Number(step) || 0, container.length)] = value;
  else Object.defineProperty(container, step, { value, writable: true, enumerable: true, configurable: true });
  return value;
}

/** Google's documented placeholder for a missing signature of a function call. */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Google's OpenAI-compatible API uses the same field for the signature. */
export function signedContent(signature: string): ExtraContent {
  return { extra_content: { google: { thought_signature: signature } } };
}

export function signatureOf(signed: AssistantMessage | ToolCall | AnswerImage): string | undefined {
  return textOf(extraContent(signed, 'google').thought_signature);
}
