import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { firstValueFrom, type Observable, switchMap } from 'rxjs';
import { InjectSettings, type Settings } from '../config/settings.js';
import { parseIfJson } from '../json/exact-json.js';
import { sealRawJson } from '../json/raw-json.js';
import { withKnownMediaTypes } from './attempt/media-types.js';
import { type AttemptedCall, sentJsonInTurns, toProviderCall } from './attempt/provider-call.js';
import { readAll } from './client/read-all.js';
import { joinUrl, UpstreamClient } from './client/upstream.client.js';
import type { ChatCompletionRequest } from './contract/chat.types.js';
import type { LastingRefusal, NativeBody, PassedBody, ReducedBody } from './contract/native.body.js';
import type { NativeApi, ProviderCall, ProviderRequest } from './contract/provider.adapter.js';
import { UpstreamError, type UpstreamFailure } from './contract/upstream.error.js';
import type { UpstreamResponse } from './contract/upstream.types.js';
import { quotesRefusal, refusedFields, withoutFields } from './refused-fields.js';
import type { LiveTarget } from './target.types.js';
import { nativeApiOf, UpstreamAccesses } from './upstream-access.js';

const HOUR_MS = 3_600_000;
const MAX_TARGETS = 10_000;
const MAX_REFUSALS = 100;

/** How often a request is repeated without what its target refused. */
export const MAX_REPEATS = 8;

/** Remembers for an hour which parts of native requests a target refuses, so that they are left out at once. */
@Injectable()
export class NativeRefusals {
  private readonly refused = new LRUCache<string, readonly LastingRefusal[]>({
    max: MAX_TARGETS,
    ttl: HOUR_MS,
    noUpdateTTL: true,
  });

  /**
   * The request without the parts that the target is known to refuse, and with media types that all know; the same body
   * if nothing changes.
   */
  withoutKnown(body: NativeBody, target: LiveTarget, api: NativeApi): ReducedBody {
    const known = this.refused.size > 0 ? (this.refused.get(keyOf(body, target)) ?? []) : [];
    const fields = withKnownMediaTypes(body.fields);
    let reduced: ReducedBody = { body: fields === body.fields ? body : { ...body, fields }, leftOut: [] };
    for (const refusal of known) reduced = joined(reduced, withoutLasting(reduced.body, refusal, api)) ?? reduced;
    return { ...reduced, lasting: [] };
  }

  /** The request without what the upstream refused now, after `reduced`; null: nothing can be left out. */
  withoutRefused(reduced: ReducedBody, failure: UpstreamFailure, api: NativeApi): ReducedBody | null {
    const { body } = reduced;
    if (body.api === 'embeddings') return null;
    const next = api.withoutRefused(body, failure) ?? withoutFields(body, refusedFields(body, failure));
    return joined(reduced, next);
  }

  /** Called when the target has answered a request without these parts. `body`: as the client sent it. */
  remember(body: NativeBody, target: LiveTarget, refusals: readonly LastingRefusal[]): void {
    if (refusals.length === 0 || quotesRefusal(body)) return;
    const key = keyOf(body, target);
    const all = [...(this.refused.get(key) ?? []), ...refusals].map((refusal) => JSON.stringify(refusal));
    this.refused.set(
      key,
      [...new Set(all)].slice(-MAX_REFUSALS).map((text) => JSON.parse(text)),
    );
  }
}

function withoutLasting(body: NativeBody, refusal: LastingRefusal, api: NativeApi): ReducedBody | null {
  if ('refusedPart' in refusal) return api.withoutRefused(body, { status: 400, ...refusal });
  return withoutFields(body, [refusal]);
}

function joined(first: ReducedBody, second: ReducedBody | null): ReducedBody | null {
  if (second === null) return null;
  const { body } = second;
  const lasting = [...(first.lasting ?? []), ...(second.lasting ?? [])];
  return { body, leftOut: [...first.leftOut, ...second.leftOut], lasting };
}

/** Versions and beta features decide which fields there are. */
function keyOf({ api, headers }: NativeBody, { upstream, upstreamModel }: LiveTarget): string {
  return JSON.stringify([upstream.name, upstreamModel, api, headers]);
}

const MAX_ANSWER_BYTES = 64 * 1024;
const LIMIT_MS = 15_000;

export interface CountedRequest {
  readonly id: string;
  readonly model: AttemptedCall['model'] & { readonly id: string };
  readonly request: ChatCompletionRequest;
  readonly native: PassedBody;
}

/** Lets upstreams count the input tokens of a request. */
@Injectable()
export class NativeCountsService {
  constructor(
    private readonly client: UpstreamClient,
    private readonly accesses: UpstreamAccesses,
    private readonly refusals: NativeRefusals,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Null: the target cannot count. Rejects with an `UpstreamError`. */
  async count({ id, model, request, native }: CountedRequest, target: LiveTarget): Promise<number | null> {
    const { adapter } = this.accesses.get(target.upstream);
    const call = toProviderCall({ id, startedAt: new Date(), modelName: model.id, model }, request, target);
    const api = nativeApiOf(adapter, native, call);
    const { counts } = api ?? {};
    if (!api || !counts) return null;
    let reduced = this.refusals.withoutKnown(native, target, api);
    for (let repeats = 0; ; repeats++) {
      try {
        sealRawJson(reduced.body.fields);
        const sent = counts.toRequest(call, reduced.body);
        if (sent === null) return null;
        const tokens = counts.fromResponse(
          await this.answer(sent, target, (response) => answerOf(api, call, response)),
        );
        if (tokens === undefined) throw new UpstreamError({ status: 502, message: 'The answer has no count.' });
        this.refusals.remember(native, target, reduced.lasting ?? []);
        return tokens;
      } catch (error) {
        const mayRepeat = error instanceof UpstreamError && this.settings.retry.retryWithoutRefusedParameters;
        const next = mayRepeat && repeats < MAX_REPEATS && this.refusals.withoutRefused(reduced, error.failure, api);
        if (!next) throw error;
        reduced = next;
      }
    }
  }

  private async answer(
    sent: ProviderRequest,
    { upstream }: LiveTarget,
    read: (response: UpstreamResponse) => Observable<unknown>,
  ): Promise<unknown> {
    const response = this.client.sendSigned(
      {
        method: sent.method,
        url: joinUrl(upstream.baseUrl, sent.path),
        headers: { 'content-type': 'application/json', accept: 'application/json', ...sent.headers },
        body: await sentJsonInTurns(sent.body),
        upstream: upstream.name,
        clocks: upstream.clocks,
        streamed: false,
        deadline: performance.now() + LIMIT_MS,
      },
      this.accesses.get(upstream).sign,
    );
    return firstValueFrom(response.pipe(switchMap(read)));
  }
}

function answerOf(
  api: NativeApi,
  call: ProviderCall,
  { status, headers, body }: UpstreamResponse,
): Observable<unknown> {
  return readAll(body, MAX_ANSWER_BYTES, (bytes) => {
    const answer = parseIfJson(bytes.toString());
    if (status !== 200) throw api.toError(status, headers, answer, call);
    return answer;
  });
}
