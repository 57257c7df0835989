import type { ToolCallDelta } from '../../contract/chat.types.js';
import { type JsonObject, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { toolCallLimit } from '../shared/request-fields.js';
import { mintedId } from '../shared/tool-call-ids.js';
import { PartialArguments } from './partial-arguments.js';
import { signedContent } from './thoughts.js';
import { functionNames } from './tools.js';

/**
 * The function calls of one candidate as tool calls, indexed from 0. Calls above the limit are dropped, as the model
 * repeats them after the other results.
 */
export class FunctionCalls {
  private count = 0;
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

  /** A `functionCall` contains a whole call, or the start, a part or the end of a call. */
  read(call: JsonObject, signature: string | undefined): ToolCallDelta[] {
    const name = textOf(call.name);
    if (name === undefined) return this.continueOpen(call);
    const before = this.completion();
    const index = this.count;
    this.count += 1;
    const continues = call.willContinue === true || Array.isArray(call.partialArgs);
    if (continues) this.begin(index, call);
    if (index >= this.limit) return before;

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
    return index < this.limit ? [{ index, function: { arguments: args.toJson() } }] : [];
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
