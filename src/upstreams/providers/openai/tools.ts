import type { ChatCompletionRequest, ToolCall, ToolCallDelta } from '../../contract/chat.types.js';
import { countOf, isObject, type JsonObject, objectOf, objectsOf, textOf } from '../../contract/json.js';
import { changed, type Dialect, fieldPicker } from './dialect.js';

const withToolFields = fieldPicker({ only: ['type', 'function', 'custom'] });
const withFunctionFields = fieldPicker({ only: ['name', 'description', 'parameters', 'strict'] });

export function toolAdapter({ allowedTools = false, adaptFunction }: Dialect): (body: JsonObject) => void {
  function adapted(tool: unknown): unknown {
    if (!isObject(tool)) return tool;
    const picked = withToolFields(tool);
    if (!isObject(picked.function)) return picked;
    const plain = withFunctionFields(picked.function);
    const described = adaptFunction ? adaptFunction(plain) : plain;
    return described === picked.function ? picked : { ...picked, function: described };
  }

  return (body) => {
    if (!allowedTools) chooseAmongAllowed(body);
    if (!Array.isArray(body.tools)) return;
    if (body.tools.length === 0) return withoutTools(body);
    body.tools = changed(body.tools, adapted);
  };
}

/** "Invalid 'tools': empty array." and "'tool_choice' is only allowed when 'tools' are specified." */
export function withoutTools(body: JsonObject): void {
  delete body.tools;
  delete body.parallel_tool_calls;
  if (body.tool_choice === 'auto' || body.tool_choice === 'none') delete body.tool_choice;
}

/** For APIs without `allowed_tools`: offers only the allowed tools. */
function chooseAmongAllowed(body: JsonObject): void {
  const choice = body.tool_choice as ChatCompletionRequest['tool_choice'];
  if (typeof choice !== 'object' || choice.type !== 'allowed_tools') return;
  const { mode, tools } = choice.allowed_tools;
  const allowed = new Set(tools.map(nameOf));
  const offered = Array.isArray(body.tools) ? body.tools.filter((tool: unknown) => allowed.has(nameOf(tool))) : [];
  delete body.tools;
  delete body.tool_choice;
  if (offered.length > 0) Object.assign(body, { tools: offered, tool_choice: mode });
}

function nameOf(tool: unknown): unknown {
  if (!isObject(tool) || typeof tool.type !== 'string') return undefined;
  const named = tool[tool.type];
  return isObject(named) ? `${tool.type} ${named.name}` : undefined;
}

export function hasFunctionTools({ tools, functions }: ChatCompletionRequest): boolean {
  if (tools?.some(({ type }) => type === 'function')) return true;
  return Array.isArray(functions) && functions.length > 0;
}

/** Arguments are passed on as the model wrote them; empty arguments become `{}`. */
export function toolCallsOf(calls: unknown, mintId: (index: number) => string): ToolCall[] {
  return objectsOf(calls).map((call, index): ToolCall => {
    const id = textOf(call.id) ?? mintId(index);
    const { custom } = call;
    if (isObject(custom)) {
      return { id, type: 'custom', custom: { name: textOf(custom.name) ?? '', input: textOf(custom.input) ?? '' } };
    }
    const called = objectOf(call.function);
    const name = textOf(called.name) ?? '';
    return { id, type: 'function', function: { name, arguments: argumentsOf(called.arguments) || '{}' } };
  });
}

interface OpenCall {
  index: number;
  upstreamIndex: number | undefined;
  upstreamId: string | undefined;
  named: boolean;
  custom: boolean;
  empty: boolean;
}

/**
 * The tool calls of one streamed choice: indexed from 0, each with its id and name once, even if the upstream omits or
 * repeats fields or sends several at once.
 */
export class ToolCallStream {
  private readonly calls: OpenCall[] = [];
  /** The latest of each index of the upstream. */
  private readonly byIndex = new Map<number, OpenCall>();
  /** The first of each id of the upstream. */
  private readonly byId = new Map<string, OpenCall>();

  constructor(private readonly mintId: (index: number) => string) {}

  get started(): boolean {
    return this.calls.length > 0;
  }

  /** Undefined if there is nothing new to send. */
  read(deltas: readonly unknown[]): ToolCallDelta[] | undefined {
    const sent = objectsOf(deltas).flatMap((raw) => this.readOne(raw) ?? []);
    return sent.length > 0 ? sent : undefined;
  }

  /** An empty object as the arguments of calls without any. */
  completions(): ToolCallDelta[] | undefined {
    const open = this.calls.filter((call) => call.empty && !call.custom);
    if (open.length === 0) return undefined;
    for (const call of open) call.empty = false;
    return open.map(({ index }) => ({ index, function: { arguments: '{}' } }));
  }

  private readOne(raw: JsonObject): ToolCallDelta | undefined {
    const custom = isObject(raw.custom) ? raw.custom : undefined;
    const called = custom ?? objectOf(raw.function);
    const name = textOf(called.name);
    const input = custom ? (textOf(custom.input) ?? '') : argumentsOf(called.arguments);
    const known = this.find(raw, name);
    const call = known ?? this.open(raw, custom !== undefined);
    if (known && input === '' && (call.named || name === undefined)) return undefined;

    if (input !== '') call.empty = false;
    const part: JsonObject = {};
    if (name !== undefined && !call.named) part.name = name;
    part[call.custom ? 'input' : 'arguments'] = input;
    call.named ||= name !== undefined;
    const delta: ToolCallDelta = { index: call.index };
    if (!known) delta.id = call.upstreamId ?? this.mintId(call.index);
    const type = call.custom ? 'custom' : 'function';
    if (!known) delta.type = type;
    delta[type] = part;
    return delta;
  }

  /** The call that a delta continues; undefined if it starts one. */
  private find(raw: JsonObject, name: string | undefined): OpenCall | undefined {
    const id = textOf(raw.id);
    const index = countOf(raw.index);
    if (index !== undefined) {
      const call = this.byIndex.get(index);
      // Some upstreams use the index 0 for every call: a different id together with a name is another call.
      const isAnother = call?.upstreamId !== undefined && id !== undefined && id !== call.upstreamId;
      return isAnother && name !== undefined ? undefined : call;
    }
    if (id !== undefined) return this.byId.get(id);
    return name === undefined ? this.calls.at(-1) : undefined;
  }

  private open(raw: JsonObject, custom: boolean): OpenCall {
    const call: OpenCall = {
      index: this.calls.length,
      upstreamIndex: countOf(raw.index),
      upstreamId: textOf(raw.id),
      named: false,
      custom,
      empty: true,
    };
    this.calls.push(call);
    const { upstreamIndex, upstreamId } = call;
    if (upstreamIndex !== undefined) this.byIndex.set(upstreamIndex, call);
    if (upstreamId !== undefined && !this.byId.has(upstreamId)) this.byId.set(upstreamId, call);
    return call;
  }
}

/** Some upstreams send arguments parsed, or null. */
export function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
