import { Injectable } from '@nestjs/common';
import { defer, from, mergeMap, Observable, switchMap, throwError } from 'rxjs';
import { parseExactly, parseIfJson } from '../json/exact-json.js';
import { sealRawJson } from '../json/raw-json.js';
import { CallMetricsService } from '../telemetry/call-metrics.service.js';
import type { CallTrace } from '../telemetry/trace.types.js';
import {
  type AttemptedCall,
  joinedAttempt,
  sentJson,
  sentJsonInTurns,
  toProviderCall,
} from './attempt/provider-call.js';
import { completionToChunks, StreamedAnswer, tracedAnswer } from './attempt/streamed-answer.js';
import { CapacityService } from './capacity.service.js';
import { LargeAnswers } from './client/large-answers.js';
import { DeferredFlow, readAll } from './client/read-all.js';
import { joinUrl, requestIdOf, UpstreamClient, withRequestId } from './client/upstream.client.js';
import type { Answer, ChatCompletion, ChatCompletionRequest } from './contract/chat.types.js';
import type { LastingRefusal, NativeBody, ReducedBody } from './contract/native.body.js';
import type { AnswerWatch, NativeApi, ProviderCall, UpstreamHeaders } from './contract/provider.adapter.js';
import { UpstreamError, type UpstreamFailure } from './contract/upstream.error.js';
import type { TimedFlow, UpstreamResponse } from './contract/upstream.types.js';
import { framed } from './framing/framing.js';
import { NativeRefusals } from './native-counts.service.js';
import { headerOf } from './providers/shared/retry-after.js';
import type { LiveTarget } from './target.types.js';
import { type ListedAdapter, nativeApiOf, UpstreamAccesses } from './upstream-access.js';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

export interface AttemptCall extends AttemptedCall {
  /** Shares the places for large answers with others of the same owner. */
  readonly ownerId?: string;
  /** Trace context to forward to the upstream. */
  readonly traceparent?: string | undefined;
  /** Null: calls are not traced. */
  readonly trace?: CallTrace | null;
  /** Whether the body has megabytes and is serialized in several turns of the event loop. */
  readonly isLarge?: boolean;
}

export interface AttemptProgress extends AnswerWatch {
  /** `performance.now()` when the request was sent; null: not yet. */
  sentMs: number | null;
  /** The provider's id of the request, from the head of its response; null: none yet. */
  requestId: string | null;
}

export interface Attempt {
  /** Top-level fields left out of the upstream request. */
  readonly ignored: readonly string[];
  readonly flow: TimedFlow;
  readonly progress: AttemptProgress;
  /** Whether the model reads the prompt again after each call of a tool of the provider. */
  readonly rereadsPrompt: boolean;
  /** Subscribing starts the attempt, unsubscribing aborts it. Fails with an `UpstreamError`. */
  readonly answer: Observable<Answer>;
  /** A native request without the part that the upstream refused, to be sent again; null: nothing can be left out. */
  withoutRefused(failure: UpstreamFailure): ReducedBody | null;
  /** Remembers for later requests that the target answered without these parts of the client's request. */
  remember(refusals: readonly LastingRefusal[], received: NativeBody): void;
}

/** Reads an answer: the target's adapter, or its native API. */
type AnswerReader = ListedAdapter | NativeApi;

const NONE: readonly string[] = [];

const STREAM_TYPES = new Set(['', 'text/event-stream', 'application/vnd.amazon.eventstream', 'application/x-ndjson']);

@Injectable()
export class AttemptService {
  constructor(
    private readonly client: UpstreamClient,
    private readonly accesses: UpstreamAccesses,
    private readonly metrics: CallMetricsService,
    private readonly capacities: CapacityService,
    private readonly refusals: NativeRefusals,
    private readonly largeAnswers: LargeAnswers,
  ) {}

  /**
   * `deadline`: the `performance.now()` at which the call's total clock expires. `native`: the client's own request,
   * which is sent instead of `request`. Throws a `GatewayError` if the request cannot be translated for the target.
   */
  prepare(
    call: AttemptCall,
    request: ChatCompletionRequest,
    target: LiveTarget,
    deadline: number,
    clocks = target.upstream.clocks,
    native: NativeBody | null = null,
  ): Attempt {
    const { upstream } = target;
    const startedMs = performance.now();
    const { adapter, sign } = this.accesses.get(upstream);
    const progress: AttemptProgress = {
      ...{ sentMs: null, requestId: null, usageSoFar: null, unread: null },
      ...{ servedModel: null, servedTier: null, hostedCalls: null, answerId: null },
    };
    const providerCall = { ...toProviderCall(call, request, target), watch: progress };
    const api = native && nativeApiOf(adapter, native, providerCall);
    const [first, ...others] = api?.split?.() ?? [];
    if (api?.join && first && others.length > 0) {
      const prepare = (part: NativeBody) => this.prepare(call, request, target, deadline, clocks, part);
      const tokens = [first, ...others].map((part) => api.estimate?.(part) ?? 0);
      return joinedAttempt(prepare(first), others.map(prepare), api.join, tokens);
    }
    const reader = api ?? adapter;
    const own = api && native && this.refusals.withoutKnown(native, target, api);
    if (own) sealRawJson(own.body.fields);
    else if (adapter.passesLists) sealRawJson(request);
    const sent = api && own ? api.toRequest(providerCall, own.body) : adapter.toRequest(providerCall);
    const { method, path, headers, body, ignored = NONE } = sent;
    const trace = call.trace?.attempt({ ...target, upstream: upstream.name, baseUrl: upstream.baseUrl });
    const traceparent = trace ? trace.traceparent : call.traceparent;
    const streamed = request.stream === true;
    const unsent = {
      method,
      url: joinUrl(upstream.baseUrl, path),
      headers: {
        'content-type': 'application/json',
        accept: acceptOf(reader, streamed),
        ...(traceparent && { traceparent }),
        ...headers,
      },
      upstream: upstream.name,
      clocks,
      streamed,
      deadline,
      onSent: () => {
        progress.sentMs = performance.now();
      },
    };
    const send = (json: string | Buffer) => this.client.sendSigned({ ...unsent, body: json }, sign);
    const response = call.isLarge ? defer(() => sentJsonInTurns(body)).pipe(switchMap(send)) : send(sentJson(body));
    const flow = new DeferredFlow();
    const capacity = this.capacities.of(target);
    const answer = answerOf(response, (head) => {
      this.metrics.observeHead(upstream.name, performance.now() - startedMs);
      flow.follow(head.flow);
      capacity.readHeaders(head.headers);
      progress.requestId = requestIdOf(head.headers) ?? null;
      return readAnswer(reader, providerCall, head, () => this.largeAnswers.enter(call.ownerId ?? '', flow.queue));
    });
    return {
      ignored: own && own.leftOut.length > 0 ? [...own.leftOut, ...ignored] : ignored,
      flow,
      progress,
      rereadsPrompt: this.accesses.rereadsPrompt([target]),
      answer: trace ? tracedAnswer(answer, trace) : answer,
      withoutRefused: (failure) => (api && own ? this.refusals.withoutRefused(own, failure, api) : null),
      remember: (refusals, received) => this.refusals.remember(received, target, refusals),
    };
  }
}

/** A plain Observable instead of `switchMap`, as there is only one response and each operator costs time. */
function answerOf(
  response: Observable<UpstreamResponse>,
  read: (response: UpstreamResponse) => Observable<Answer>,
): Observable<Answer> {
  return new Observable((subscriber) => {
    const awaited = response.subscribe({
      next: (head) => read(head).subscribe(subscriber),
      error: (error) => subscriber.error(error),
    });
    return () => awaited.unsubscribe();
  });
}

function readAnswer(
  adapter: AnswerReader,
  call: ProviderCall,
  response: UpstreamResponse,
  enter: () => () => void,
): Observable<Answer> {
  const { status, headers } = response;
  if (status >= 400) return failed(adapter, call, response);
  if (status !== 200) return unreadable();
  const type = contentType(headers);
  if (call.request.stream === true) {
    if (STREAM_TYPES.has(type)) return streamedAnswer(adapter, call, response);
    if (type !== 'application/json') return unreadable();
    return wholeAnswer(adapter, call, response, enter).pipe(mergeMap((answer) => from(completionToChunks(answer))));
  }
  return type === '' || type === 'application/json' ? wholeAnswer(adapter, call, response, enter) : unreadable();
}

function streamedAnswer(adapter: AnswerReader, call: ProviderCall, response: UpstreamResponse): Observable<Answer> {
  const chunks = response.body.pipe(framed(adapter.framing), adapter.fromStream(call));
  return new Observable((subscriber) => {
    chunks.subscribe(new StreamedAnswer(subscriber, response));
  });
}

function unreadable(): Observable<never> {
  return throwError(() => new UpstreamError({ status: 502 }));
}

function wholeAnswer(
  adapter: AnswerReader,
  call: ProviderCall,
  { headers, body }: UpstreamResponse,
  enter: () => () => void,
): Observable<ChatCompletion> {
  const read = (bytes: Buffer): ChatCompletion => {
    try {
      return readWhole(bytes.toString('utf8'), adapter, call);
    } catch (error) {
      throw withRequestId(error, headers);
    }
  };
  return readAll(body, MAX_ANSWER_BYTES, read, 'refused', enter);
}

function failed(
  adapter: AnswerReader,
  call: ProviderCall,
  { status, headers, body }: UpstreamResponse,
): Observable<never> {
  const read = (bytes: Buffer): never => {
    throw withRequestId(adapter.toError(status, headers, parseIfJson(bytes.toString('utf8')), call), headers);
  };
  return readAll(body, MAX_ERROR_BYTES, read, 'cut');
}

function readWhole(text: string, reader: AnswerReader, call: ProviderCall): ChatCompletion {
  return 'protocol' in reader ? reader.fromResponse(parseAnswer(text, reader), call) : reader.fromResponse(text, call);
}

function parseAnswer(text: string, { argumentsAreValues }: ListedAdapter): unknown {
  try {
    return argumentsAreValues ? parseExactly(text) : JSON.parse(text);
  } catch {
    throw new UpstreamError({ status: 502 });
  }
}

function contentType(headers: UpstreamHeaders): string {
  return headerOf(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

function acceptOf({ framing }: AnswerReader, streamed: boolean): string {
  if (!streamed) return 'application/json';
  return framing === 'sse' ? 'text/event-stream' : '*/*';
}
