import { type MemberEdits, withMembers } from '../../../json/json-members.js';
import type { ChatCompletion } from '../../contract/chat.types.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import type { NativeBody, ReducedBody } from '../../contract/native.body.js';
import type { NativeApi, ProviderCall, ProviderRequest, UpstreamHeaders } from '../../contract/provider.adapter.js';
import type { UpstreamError, UpstreamFailure } from '../../contract/upstream.error.js';
import type { Dialect } from '../openai/dialect.js';
import { type FailureReading, toError } from '../openai/failure.js';
import { NativeChunkReader, type NativeStreamForm } from '../shared/native/native-chunk.reader.js';
import { nativeFields } from '../shared/native/native-fields.js';
import { parsedAnswer } from '../shared/native/parsed-answer.js';
import { ResponsesChunkReader } from './chunk.reader.js';
import { toCompletion } from './completion.js';

/** Describes an upstream's native Responses API. */
export interface NativeResponsesSurface extends Pick<FailureReading, 'errorBody' | 'refineFailure'> {
  /** Relative to the base URL. */
  readonly path: (call: ProviderCall) => string;
  /** Fields that are left out because they control the upstream's servers. */
  readonly withheld?: readonly string[];
}

const FIELDS = { outputLimit: 'max_output_tokens', sampling: { temperature: 'temperature', top_p: 'top_p' } };

const PREAMBLE = new Set(['response.created', 'response.queued', 'response.in_progress']);
/** `response.created` and other events with the whole response. */
const WHOLE_RESPONSE = /^response\.[a-z_]+$/;

const STREAM: NativeStreamForm = {
  isPreamble: (name) => PREAMBLE.has(name),
  edits: (name, call) => (WHOLE_RESPONSE.test(name) ? { response: edits(call) } : null),
};

/** An upstream's native Responses API. Nothing is stored there. */
export class NativeResponses implements NativeApi {
  readonly framing = 'sse';
  readonly fromStream = chunkStream(
    (call, emit) =>
      new NativeChunkReader(call, emit, STREAM, (call, emit) => new ResponsesChunkReader(call, this.failures, emit)),
  );
  private readonly failures: FailureReading;

  constructor(private readonly surface: NativeResponsesSurface) {
    const { errorBody, refineFailure } = surface;
    // No field is renamed, as errors name the fields of the client's own API.
    this.failures = { outputLimit: '', errorBody, refineFailure: withReasoningRefusal(refineFailure) };
  }

  toRequest(call: ProviderCall, { fields }: NativeBody): ProviderRequest {
    const body = nativeFields(call, fields, FIELDS);
    body.store = false;
    const ignored = (this.surface.withheld ?? []).filter((field) => field in body);
    for (const field of ignored) delete body[field];
    return { method: 'POST', path: this.surface.path(call), headers: {}, body, ignored };
  }

  fromResponse(text: string, call: ProviderCall): ChatCompletion {
    const completion = toCompletion(parsedAnswer(text), call, this.failures);
    completion.nativeText = withMembers(text, edits(call));
    return completion;
  }

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
    return toError(status, headers, body, call, this.failures);
  }

  /** Leaves out the encrypted reasoning of earlier answers, which only the account that created it can read. */
  withoutRefused(body: NativeBody, { refusedPart }: UpstreamFailure): ReducedBody | null {
    const { input } = body.fields;
    if (refusedPart !== 'reasoning' || !Array.isArray(input)) return null;
    const leftOut = input.flatMap((item, at) => (isReasoning(item) ? [`input[${at}]`] : []));
    if (leftOut.length === 0) return null;
    const others = input.filter((item) => !isReasoning(item)).map(withoutId);
    return { body: { ...body, fields: { ...body.fields, input: others } }, leftOut };
  }
}

function edits({ model }: ProviderCall): MemberEdits {
  return { model: JSON.stringify(model), store: 'false' };
}

/** "The encrypted content … could not be verified. Reason: Encrypted content could not be decrypted or parsed." */
const UNREADABLE_REASONING =
  /invalid_encrypted_content|encrypted[ _]content[^.]*(?:verif|decrypt)|decrypt[^.]*encrypted[ _]content/i;

type RefineFailure = NonNullable<FailureReading['refineFailure']>;

function withReasoningRefusal(refine: RefineFailure = (failure) => failure): RefineFailure {
  return (failure, facts) => {
    const refined = refine(failure, facts);
    const { code = '', message = '' } = facts;
    const isReasoning = refined.status === 400 && UNREADABLE_REASONING.test(`${code} ${message}`);
    return isReasoning ? { ...refined, refusedPart: 'reasoning' } : refined;
  };
}

function isReasoning(item: unknown): boolean {
  return isObject(item) && item.type === 'reasoning';
}

/** "Item 'fc_…' of type 'function_call' was provided without its required 'reasoning' item", which needs an id. */
function withoutId(item: unknown): unknown {
  if (!isObject(item) || (item.type !== 'function_call' && item.type !== 'custom_tool_call')) return item;
  const { id: _, ...others }: JsonObject = item;
  return others;
}

/** The Responses API of an upstream whose Chat Completions have a dialect. */
export function nativeResponses(dialect: Dialect & Required<Pick<Dialect, 'responses'>>): NativeApi {
  const { responses, fields, errorBody, refineFailure } = dialect;
  const { path = '/responses', withheld = [] } = responses;
  return new NativeResponses({
    path: () => path,
    withheld: [...withheld, ...('except' in fields ? fields.except : [])],
    errorBody,
    refineFailure,
  });
}
