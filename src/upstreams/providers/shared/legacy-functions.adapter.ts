import { map } from 'rxjs';
import type { ChatCompletionRequest, ToolChoice } from '../../contract/chat.types.js';
import { isObject } from '../../contract/json.js';
import type { ProviderAdapter, ProviderCall } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import {
  chunkWithFunctionCall,
  laterCallsIn,
  usesFunctions,
  wantsFunctionCall,
  withFunctionCall,
  withTools,
} from './legacy-functions.js';
import { chosenName, mustCall } from './requested-tools.js';

/** For an adapter that declares `functions: false`: converts `functions` to tools, and answers back. */
export function withLegacyFunctions(adapter: ProviderAdapter): ProviderAdapter {
  if (adapter.capabilities.functions !== false) return adapter;
  return {
    ...adapter,
    capabilities: { ...adapter.capabilities, functions: true },
    toRequest(call) {
      const request = adapter.toRequest(translated(call));
      if (!request.ignored || call.request.functions == null) return request;
      return { ...request, ignored: request.ignored.map((field) => CALLERS_NAMES.get(field) ?? field) };
    },

    fromResponse(body, call) {
      const completion = adapter.fromResponse(body, translated(call));
      return wantsFunctionCall(call.request) ? withFunctionCall(completion) : completion;
    },

    fromStream(call) {
      const chunks = adapter.fromStream(translated(call));
      if (!wantsFunctionCall(call.request)) return chunks;
      return (events) => {
        const dropped = new DroppedCalls(call);
        return events.pipe(
          chunks,
          map((chunk) => {
            dropped.add(laterCallsIn(chunk));
            return chunkWithFunctionCall(chunk);
          }),
        );
      };
    },

    toError(status, headers, body, call) {
      const error = adapter.toError(status, headers, body, translated(call));
      const param = CALLERS_NAMES.get(error.failure.param ?? '');
      return param && call.request.functions != null ? new UpstreamError({ ...error.failure, param }) : error;
    },
  };
}

/** Adds calls that are not passed on to what the call's watch knows of unread output. */
class DroppedCalls {
  private text = '';

  constructor(private readonly call: ProviderCall) {}

  add(text: string): void {
    const { watch } = this.call;
    if (text === '' || !watch) return;
    if (this.text === '') {
      const ofReader = watch.unread;
      watch.unread = () => (ofReader?.() ?? '') + this.text;
    }
    this.text += text;
  }
}

const CALLERS_NAMES: ReadonlyMap<string, string> = new Map([
  ['tools', 'functions'],
  ['tool_choice', 'function_call'],
]);

function translated(call: ProviderCall): ProviderCall {
  return usesFunctions(call.request) ? { ...call, request: withTools(call.request) } : call;
}

/** For models that cannot be forced to call a tool: an instruction requests the call instead of `tool_choice`. */
export function withUnforcedTools(adapter: ProviderAdapter): ProviderAdapter {
  return {
    ...adapter,
    toRequest(call) {
      const unforced = withoutForce(call);
      if (unforced === call) return adapter.toRequest(call);
      const { ignored = [], ...request } = adapter.toRequest(unforced);
      return { ...request, ignored: ['tool_choice', ...ignored] };
    },
    fromResponse: (body, call) => adapter.fromResponse(body, withoutForce(call)),
    fromStream: (call) => adapter.fromStream(withoutForce(call)),
  };
}

function withoutForce(call: ProviderCall): ProviderCall {
  const { request, traits } = call;
  const { messages, tools, tool_choice: choice } = request;
  if (traits.forcedTools !== false || !tools?.length || !choice || !mustCall(choice)) return call;
  return {
    ...call,
    request: { ...request, messages: withInstruction(messages, chosenName(choice)), tool_choice: optional(choice) },
  };
}

/** The named tool alone stays on offer, and so do the allowed ones. */
function optional(choice: ToolChoice): ToolChoice {
  if (!isObject(choice)) return 'auto';
  const tools = choice.type === 'allowed_tools' ? choice.allowed_tools.tools : [choice];
  return { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools } };
}

/** At the end, so that errors name the caller's messages, but before the beginning of an answer. */
function withInstruction(messages: ChatCompletionRequest['messages'], name: string | undefined) {
  const tool = name === undefined ? 'one of the tools' : `the tool \`${name}\``;
  const instruction = { role: 'system' as const, content: `Call ${tool} now instead of answering in text.` };
  const end = messages.at(-1)?.role === 'assistant' ? messages.length - 1 : messages.length;
  return messages.toSpliced(end, 0, instruction);
}
