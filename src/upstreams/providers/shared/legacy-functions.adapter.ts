import { map } from 'rxjs';
import type { ProviderAdapter, ProviderCall } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import {
  chunkWithFunctionCall,
  usesFunctions,
  wantsFunctionCall,
  withFunctionCall,
  withTools,
} from './legacy-functions.js';

/** For an adapter that declares `functions: false`: converts `functions` to tools, and answers back. */
export function withLegacyFunctions(adapter: ProviderAdapter): ProviderAdapter {
  if (adapter.capabilities.functions !== false) return adapter;
  return {
    ...adapter,
    capabilities: { ...adapter.capabilities, functions: true },
    toRequest: (call) => adapter.toRequest(translated(call)),

    fromResponse(body, call) {
      const completion = adapter.fromResponse(body, translated(call));
      return wantsFunctionCall(call.request) ? withFunctionCall(completion) : completion;
    },

    fromStream(call) {
      const chunks = adapter.fromStream(translated(call));
      if (!wantsFunctionCall(call.request)) return chunks;
      return (events) => events.pipe(chunks, map(chunkWithFunctionCall));
    },

    toError(status, headers, body, call) {
      const error = adapter.toError(status, headers, body, translated(call));
      const param = CALLERS_NAMES.get(error.failure.param ?? '');
      return param && call.request.functions != null ? new UpstreamError({ ...error.failure, param }) : error;
    },
  };
}

const CALLERS_NAMES: ReadonlyMap<string, string> = new Map([
  ['tools', 'functions'],
  ['tool_choice', 'function_call'],
]);

function translated(call: ProviderCall): ProviderCall {
  return usesFunctions(call.request) ? { ...call, request: withTools(call.request) } : call;
}
