import { type MemberEdits, withMembers } from '../../../json/json-members.js';
import { BEARER } from '../../client/auth/api-key.scheme.js';
import type { SigningScheme } from '../../client/auth/signer.js';
import type { ChatCompletion } from '../../contract/chat.types.js';
import { chunkStream, noteAnswerId } from '../../contract/chunk.reader.js';
import { countOf, isObject, type JsonObject, listOf, objectOf, type ReadonlyJsonObject } from '../../contract/json.js';
import type { NativeBody, ReducedBody } from '../../contract/native.body.js';
import type { NativeApi, ProviderCall, ProviderRequest, UpstreamHeaders } from '../../contract/provider.adapter.js';
import type { UpstreamError, UpstreamFailure } from '../../contract/upstream.error.js';
import { changed, type Dialect, type ErrorFacts } from '../openai/dialect.js';
import { type FailureReading, toError } from '../openai/failure.js';
import { PRICED_RESPONSES_FIELDS } from '../shared/ignored-fields.js';
import {
  allowedCalls,
  NativeChunkReader,
  type NativeStreamForm,
  nativeFields,
  parsedAnswer,
} from '../shared/native.js';
import { nearestEffort } from '../shared/requested-tools.js';
import { withLimitHeaders } from '../shared/retry-after.js';
import { isItemType } from './output-items.js';
import { ResponsesChunkReader, toCompletion } from './response.js';

/** Describes an upstream's native Responses API. */
interface NativeResponsesSurface extends Pick<FailureReading, 'errorBody' | 'refineFailure'> {
  /** Relative to the base URL. */
  readonly path: (call: ProviderCall) => string;
  /** Fields that are left out because they control the upstream's servers. */
  readonly withheld?: readonly string[];
  /** All fields that it receives for models with a price; absent: all. */
  readonly pricedFields?: ReadonlySet<string> | undefined;
  /** Makes final changes to the body; only its top level may be changed. */
  readonly adjust?: ((body: JsonObject, call: ProviderCall) => void) | undefined;
}

const FIELDS = { outputLimit: 'max_output_tokens', sampling: { temperature: 'temperature', top_p: 'top_p' } };

const PREAMBLE = new Set(['response.created', 'response.queued', 'response.in_progress']);
/** `response.created` and other events with the whole response. */
const WHOLE_RESPONSE = /^response\.[a-z_]+$/;

const STREAM: NativeStreamForm = {
  isPreamble: (name) => PREAMBLE.has(name),
  edits: (name, call, data) => (WHOLE_RESPONSE.test(name) ? { response: edits(call, data) } : null),
  wholes: 'response.output_item.done',
  wholeOutput: ({ item }) => writtenIn(objectOf(item)),
};

/** What the model has written of a call that the chat format cannot express, without what the provider has found. */
function writtenIn({ type, action, actions, operation, arguments: text, input, code }: ReadonlyJsonObject): unknown {
  if (isItemType(type)) return undefined;
  const { sources: _, ...others } = objectOf(action);
  return [others, actions, operation, text, input, code];
}

/** An upstream's native Responses API. Nothing is stored there. */
export class NativeResponses implements NativeApi {
  readonly framing = 'sse';
  readonly fromStream = chunkStream(
    (call, emit) =>
      new NativeChunkReader(call, emit, STREAM, (call, emit) => new ResponsesChunkReader(call, this.failures, emit)),
  );
  readonly withoutRefused = withoutRefused;
  private readonly failures: FailureReading;

  constructor(private readonly surface: NativeResponsesSurface) {
    const { errorBody, refineFailure } = surface;
    // No field is renamed, as errors name the fields of the client's own API.
    this.failures = { outputLimit: '', errorBody, refineFailure: withRefusedPart(refineFailure) };
  }

  toRequest(call: ProviderCall, { fields }: NativeBody): ProviderRequest {
    const body = withSupportedEfforts(nativeFields(call, fields, FIELDS), call);
    // A client that relies on stored items returns them in its next turn, where only encrypted reasoning is readable.
    if (fields.store !== false) body.include = includingReasoning(fields.include);
    body.store = false;
    if (call.maxHostedCalls !== null) {
      body.max_tool_calls = allowedCalls(countOf(body.max_tool_calls), call.maxHostedCalls);
    }
    const { withheld, pricedFields } = this.surface;
    const isSent = (field: string) =>
      !withheld?.includes(field) && (!call.isPaid || (pricedFields?.has(field) ?? true));
    const ignored = Object.keys(body).filter((field) => !isSent(field));
    for (const field of ignored) delete body[field];
    this.surface.adjust?.(body, call);
    return { method: 'POST', path: this.surface.path(call), headers: {}, body, ignored };
  }

  fromResponse(text: string, call: ProviderCall): ChatCompletion {
    const body = parsedAnswer(text);
    const completion = toCompletion(body, call, this.failures);
    noteAnswerId(call, objectOf(body).id);
    completion.nativeText = withMembers(text, edits(call, text));
    return completion;
  }

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
    return withLimitHeaders(toError(status, headers, body, call, this.failures), headers);
  }
}

/** Clients show a missing time, and some servers' 0, as 1970. */
function edits({ model, created }: ProviderCall, json: string): MemberEdits {
  const edited = { model: JSON.stringify(model), store: 'false' };
  if (NO_TIME.test(json)) return { ...edited, created_at: String(created) };
  // Members can only be replaced, so the time is added to the model's.
  return json.includes('"created_at"') ? edited : { ...edited, model: `${edited.model},"created_at":${created}` };
}

const NO_TIME = /"created_at"\s*:\s*(?:0(?:\.0*)?|null)\s*[,}]/;

/** Declared efforts only: the request's own, and those that items of the conversation set from then on. */
function withSupportedEfforts(body: JsonObject, { traits: { efforts } }: ProviderCall): JsonObject {
  if (efforts === null) return body;
  const adapted = (entry: unknown): unknown => {
    if (!isObject(entry) || !isObject(entry.reasoning) || typeof entry.reasoning.effort !== 'string') return entry;
    const effort = nearestEffort(entry.reasoning.effort, efforts);
    return effort === entry.reasoning.effort ? entry : { ...entry, reasoning: { ...entry.reasoning, effort } };
  };
  const { input } = body;
  if (Array.isArray(input)) body.input = changed(input, (item) => (isConfigurationUpdate(item) ? adapted(item) : item));
  return adapted(body) as JsonObject;
}

function isConfigurationUpdate(item: unknown): boolean {
  return isObject(item) && item.type === 'configuration_update';
}

function includingReasoning(include: unknown): readonly unknown[] {
  const included = listOf(include);
  return included.includes(ENCRYPTED_REASONING) ? included : [...included, ENCRYPTED_REASONING];
}

/** The Responses API of an upstream whose Chat Completions have a dialect. */
export function nativeResponses(dialect: Dialect & Required<Pick<Dialect, 'responses'>>): NativeApi {
  const { responses, fields, errorBody, refineFailure } = dialect;
  const { path = '/responses', withheld = [], onRequest, adjust } = responses;
  return new NativeResponses({
    path: () => path,
    withheld: [...withheld, ...('except' in fields ? fields.except : [])],
    // Self-hosted servers are of unknown make.
    pricedFields: onRequest ? PRICED_RESPONSES_FIELDS : undefined,
    adjust,
    errorBody,
    refineFailure,
  });
}

const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

/** "Encrypted content is not supported with this model.", or `include` is. */
const ENCRYPTION_UNSUPPORTED = /encrypted content is not supported|['"`]include\b|\binclude(?:[.[]\w+\]?)*: /i;
/** "The encrypted content … could not be verified. Reason: Encrypted content could not be decrypted or parsed." */
const UNREADABLE_REASONING =
  /invalid_encrypted_content|encrypted[ _]content[^.]*(?:verif|decrypt)|decrypt[^.]*encrypted[ _]content/i;
/** "Item with id 'rs_…' not found. Items are not persisted when `store` is set to false." */
const ITEM_NOT_FOUND = /\bitem with id ['"`]?([\w-]*)['"`]? not found/i;
/**
 * "Item 'fc_…' of type 'function_call' was provided without its required 'reasoning' item", "Item 'rs_…' of type
 * 'reasoning' was provided without its required following item", "Duplicate item found with id", "Invalid
 * 'input[2].id': 'x'. Expected an ID that begins with 'fc'."
 */
const ITEM_ID_REFUSED = /without its required .*\bitem\b|duplicate item found with id|expected an id that begins with/i;

/** Types of items that are invalid without an id. */
const NEEDS_ID = /^(?:web_search|file_search|code_interpreter|image_generation|computer|local_shell)_call$|^mcp_/;

type RefineFailure = NonNullable<FailureReading['refineFailure']>;

/** Adds the part of the request that the upstream refused. Missing items are the request's fault, also as a 404. */
export function withRefusedPart(refine: RefineFailure = (failure) => failure): RefineFailure {
  return (failure, facts) => {
    const refined = refine(failure, facts);
    const isRefusal = refined.status === 400 || refined.status === 404 || refined.status === 422;
    const refusedPart = isRefusal ? refusedPartOf(facts) : undefined;
    if (refusedPart === undefined) return refined;
    return { ...refined, status: 400, message: explained(refined.message), refusedPart };
  };
}

function refusedPartOf({ code = '', message = '', param }: ErrorFacts): UpstreamFailure['refusedPart'] {
  if (param?.startsWith('include') || ENCRYPTION_UNSUPPORTED.test(message)) return 'encryption';
  if (UNREADABLE_REASONING.test(`${code} ${message}`)) return 'reasoning';
  return ITEM_NOT_FOUND.test(message) || ITEM_ID_REFUSED.test(message) ? 'items' : undefined;
}

/** The provider's own advice is to set `store`, which has no effect here. */
function explained(message: string | undefined): string | undefined {
  const [, id] = ITEM_NOT_FOUND.exec(message ?? '') ?? [];
  if (!id) return message;
  return `The upstream does not have the item '${id}', as no responses are stored there. Send the whole item, reasoning with its 'encrypted_content', or remove it from 'input'.`;
}

/**
 * The request without the refused part: encrypted reasoning in the answer, all reasoning of earlier answers (only the
 * account that created it can read it), or the ids of items and reasoning that has nothing but an id.
 */
function withoutRefused(body: NativeBody, { refusedPart }: UpstreamFailure): ReducedBody | null {
  if (refusedPart === 'encryption') return withoutEncryption(body);
  if (refusedPart === 'reasoning') return withoutItems(body, isReasoning);
  return refusedPart === 'items' ? withoutItems(body, (item) => isReasoning(item) && !item.encrypted_content) : null;
}

/** With `store: false`, encrypted reasoning is not requested for the client. */
function withoutEncryption(body: NativeBody): ReducedBody | null {
  const { include, store } = body.fields;
  const included = listOf(include);
  const at = included.indexOf(ENCRYPTED_REASONING);
  if (at < 0 && store === false) return null;
  const fields: JsonObject = { ...body.fields, store: false };
  if (at >= 0) fields.include = included.filter((one) => one !== ENCRYPTED_REASONING);
  return {
    body: { ...body, fields },
    leftOut: at < 0 ? [] : [`include[${at}]`],
    lasting: [{ refusedPart: 'encryption' }],
  };
}

function withoutItems(body: NativeBody, isRefused: (item: JsonObject) => boolean): ReducedBody | null {
  const { input } = body.fields;
  if (!Array.isArray(input)) return null;
  const leftOut: string[] = [];
  const others = input.flatMap((item: unknown, at) => {
    if (!isObject(item)) return [item];
    if (isRefused(item)) {
      leftOut.push(`input[${at}]`);
      return [];
    }
    if (item.id == null || NEEDS_ID.test(String(item.type))) return [item];
    leftOut.push(`input[${at}].id`);
    const { id: _, ...rest } = item;
    return [rest];
  });
  return leftOut.length === 0 ? null : { body: { ...body, fields: { ...body.fields, input: others } }, leftOut };
}

function isReasoning(item: Readonly<JsonObject>): boolean {
  return item.type === 'reasoning';
}

/** The differences between the Responses APIs of upstreams. */
export interface ResponsesSurface extends NativeResponsesSurface {
  readonly protocol: string;
  readonly auth: SigningScheme;
}

/** OpenAI's Responses API. */
export const responsesSurface: ResponsesSurface = {
  protocol: 'openai-responses',
  path: () => '/responses',
  auth: BEARER,
};

/** The same of servers of unknown make, which may know other names of the output limit. */
export const compatibleSurface: ResponsesSurface = { ...responsesSurface, pricedFields: PRICED_RESPONSES_FIELDS };
