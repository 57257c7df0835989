import type { AuthScheme } from '../../../config/upstream-protocol.js';
import { BEARER } from '../../client/auth/api-key.scheme.js';
import type { ChatCompletion, FinishReason } from '../../contract/chat.types.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { JsonObject } from '../../contract/json.js';
import type { NativeApiName } from '../../contract/native.body.js';
import type {
  EmbeddingsApi,
  NativeApi,
  NativeTarget,
  ProviderAdapter,
  ProviderCall,
  ProviderRequest,
  UpstreamHeaders,
} from '../../contract/provider.adapter.js';
import type { UpstreamError } from '../../contract/upstream.error.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { OpenAiChunkReader } from './chunk.reader.js';
import { completionReader } from './completion.js';
import type { Dialect } from './dialect.js';
import { embeddingsOf } from './embeddings.js';
import { toError } from './failure.js';
import { finishReasons } from './finish-reason.js';
import { forwardingTest, requestBody } from './request-body.js';
import { NativeTextCompletions } from './text-completions.js';

/** Adapter for APIs with OpenAI's Chat Completions format; a dialect describes their differences. */
export class OpenAiAdapter implements ProviderAdapter {
  readonly protocol: string;
  readonly framing = 'sse';
  readonly auth: AuthScheme;
  readonly entryKeys: ProviderAdapter['entryKeys'];
  readonly capabilities: ProviderAdapter['capabilities'];
  readonly takesForeignValues: boolean;
  readonly passesLists = true;
  readonly takesCacheKey: boolean;
  readonly fromResponse: (body: unknown, call: ProviderCall) => ChatCompletion;
  readonly fromStream = chunkStream((call, emit) => new OpenAiChunkReader(call, this.dialect, this.finishReason, emit));
  private readonly embeddingsApi: EmbeddingsApi | null;
  private readonly textCompletionsApi: NativeApi | null;
  private readonly isForwarded: (field: string) => boolean;
  private readonly bodyOf: (call: ProviderCall) => JsonObject;
  private readonly finishReason: (word: unknown, hasToolCalls: boolean) => FinishReason | null;

  /** `responses`: the native Responses API. */
  constructor(
    private readonly dialect: Dialect,
    private readonly responses: NativeApi | null = null,
  ) {
    this.protocol = dialect.protocol;
    this.auth = dialect.auth ?? BEARER;
    this.entryKeys = dialect.entryKeys;
    this.capabilities = dialect.capabilities;
    this.takesForeignValues = 'except' in dialect.fields;
    this.takesCacheKey = dialect.takesCacheKey ?? false;
    this.isForwarded = forwardingTest(dialect);
    this.embeddingsApi = embeddingsOf(dialect);
    this.textCompletionsApi = dialect.textCompletions
      ? new NativeTextCompletions(dialect, dialect.textCompletions)
      : null;
    this.bodyOf = requestBody(dialect);
    this.fromResponse = completionReader(dialect);
    this.finishReason = finishReasons(dialect);
  }

  nativeApi(api: NativeApiName, { settings }: NativeTarget): NativeApi | null {
    const isOff = this.dialect.responses?.onRequest === true && settings.responses !== 'true';
    return api === 'responses' && !isOff ? this.responses : null;
  }

  textCompletions(): NativeApi | null {
    return this.textCompletionsApi;
  }

  embeddings(): EmbeddingsApi | null {
    return this.embeddingsApi;
  }

  toRequest(call: ProviderCall): ProviderRequest {
    const { path = '/chat/completions' } = this.dialect;
    const body = this.bodyOf(call);
    return {
      method: 'POST',
      path: typeof path === 'string' ? path : path(call),
      headers: {},
      body,
      ignored: ignoredFields(
        call.request,
        (field) => this.isForwarded(field) && (field !== 'service_tier' || field in body),
      ),
    };
  }

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
    return toError(status, headers, body, call, this.dialect);
  }
}
