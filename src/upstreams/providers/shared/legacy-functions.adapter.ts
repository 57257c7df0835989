import { map, type OperatorFunction } from 'rxjs';
import type { ChatCompletion, ChatCompletionChunk } from '../../contract/chat.types.js';
import type { NativeApiName } from '../../contract/native.body.js';
import type {
  EmbeddingsApi,
  NativeApi,
  NativeTarget,
  ProviderAdapter,
  ProviderCall,
  ProviderRequest,
  UpstreamEvent,
  UpstreamHeaders,
} from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import {
  chunkWithFunctionCall,
  usesFunctions,
  wantsFunctionCall,
  withFunctionCall,
  withTools,
} from './legacy-functions.js';

/** For an adapter that declares `functions: false`: converts `functions` to tools, and answers back. */
export function withLegacyFunctions<Adapter extends ProviderAdapter>(
  adapter: Adapter,
): ProviderAdapter & Pick<Adapter, 'framing'> {
  return adapter.capabilities.functions === false ? new LegacyFunctionsAdapter(adapter) : adapter;
}

class LegacyFunctionsAdapter<Adapter extends ProviderAdapter> implements ProviderAdapter {
  readonly protocol: string;
  readonly framing: Adapter['framing'];
  readonly auth: ProviderAdapter['auth'];
  readonly namedAuths: ProviderAdapter['namedAuths'];
  readonly whenCallerLeaves: ProviderAdapter['whenCallerLeaves'];
  readonly entryKeys: ProviderAdapter['entryKeys'];
  readonly capabilities: ProviderAdapter['capabilities'];
  readonly argumentsAreValues: boolean;
  readonly takesForeignValues: boolean;
  readonly passesLists: boolean;
  readonly takesCacheKey: boolean;

  constructor(private readonly adapter: Adapter) {
    this.protocol = adapter.protocol;
    this.framing = adapter.framing;
    this.auth = adapter.auth;
    this.namedAuths = adapter.namedAuths;
    this.whenCallerLeaves = adapter.whenCallerLeaves;
    this.entryKeys = adapter.entryKeys;
    this.argumentsAreValues = adapter.argumentsAreValues ?? false;
    this.takesForeignValues = adapter.takesForeignValues ?? false;
    this.passesLists = adapter.passesLists ?? false;
    this.takesCacheKey = adapter.takesCacheKey ?? false;
    this.capabilities = { ...adapter.capabilities, functions: true };
  }

  nativeApi(api: NativeApiName, target: NativeTarget): NativeApi | null {
    return this.adapter.nativeApi?.(api, target) ?? null;
  }

  textCompletions(target: NativeTarget): NativeApi | null {
    return this.adapter.textCompletions?.(target) ?? null;
  }

  embeddings(target: NativeTarget): EmbeddingsApi | null {
    return this.adapter.embeddings?.(target) ?? null;
  }

  toRequest(call: ProviderCall): ProviderRequest {
    return this.adapter.toRequest(translated(call));
  }

  fromResponse(body: unknown, call: ProviderCall): ChatCompletion {
    const completion = this.adapter.fromResponse(body, translated(call));
    return wantsFunctionCall(call.request) ? withFunctionCall(completion) : completion;
  }

  fromStream(call: ProviderCall): OperatorFunction<UpstreamEvent, ChatCompletionChunk> {
    const chunks = this.adapter.fromStream(translated(call));
    if (!wantsFunctionCall(call.request)) return chunks;
    return (events) => events.pipe(chunks, map(chunkWithFunctionCall));
  }

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
    const error = this.adapter.toError(status, headers, body, translated(call));
    const param = CALLERS_NAMES.get(error.failure.param ?? '');
    return param && call.request.functions != null ? new UpstreamError({ ...error.failure, param }) : error;
  }
}

const CALLERS_NAMES: ReadonlyMap<string, string> = new Map([
  ['tools', 'functions'],
  ['tool_choice', 'function_call'],
]);

function translated(call: ProviderCall): ProviderCall {
  return usesFunctions(call.request) ? { ...call, request: withTools(call.request) } : call;
}
