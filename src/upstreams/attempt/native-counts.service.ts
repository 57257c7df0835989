import { Injectable } from '@nestjs/common';
import { firstValueFrom, type Observable, switchMap } from 'rxjs';
import { parseIfJson } from '../../json/parse-if-json.js';
import { sealRawJson } from '../../json/raw-json.js';
import { joinUrl } from '../client/join-url.js';
import { readAll } from '../client/read-all.js';
import { UpstreamClient } from '../client/upstream.client.js';
import type { UpstreamResponse } from '../client/upstream.types.js';
import type { ChatCompletionRequest } from '../contract/chat.types.js';
import type { PassedBody } from '../contract/native.body.js';
import type { NativeApi, ProviderCall } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';
import type { LiveTarget } from '../targets/target.types.js';
import { nativeApiOf } from './native-api-of.js';
import { toProviderCall } from './provider-call.js';
import { sentJsonInTurns } from './sent-json.js';
import { UpstreamAccesses } from './upstream-access.js';

const MAX_ANSWER_BYTES = 64 * 1024;
const LIMIT_MS = 15_000;

export interface CountedRequest {
  readonly id: string;
  readonly model: { readonly id: string; readonly maxOutputTokens: number | null };
  readonly request: ChatCompletionRequest;
  readonly native: PassedBody;
}

/** Lets upstreams count the input tokens of a request. */
@Injectable()
export class NativeCountsService {
  constructor(
    private readonly client: UpstreamClient,
    private readonly accesses: UpstreamAccesses,
  ) {}

  /** Null: the target cannot count. Rejects with an `UpstreamError`. */
  async count({ id, model, request, native }: CountedRequest, target: LiveTarget): Promise<number | null> {
    const { upstream } = target;
    const { adapter, sign } = this.accesses.get(upstream);
    const call = toProviderCall({ id, startedAt: new Date(), modelName: model.id, model }, request, target);
    const api = nativeApiOf(adapter, native, call);
    if (!api?.counts) return null;
    sealRawJson(native.fields);
    const sent = api.counts.toRequest(call, native);
    if (sent === null) return null;
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
      sign,
    );
    const tokens = api.counts.fromResponse(await firstValueFrom(response.pipe(switchMap(answerOf(api, call)))));
    if (tokens === undefined) throw new UpstreamError({ status: 502, message: 'The answer has no count.' });
    return tokens;
  }
}

function answerOf(api: NativeApi, call: ProviderCall): (response: UpstreamResponse) => Observable<unknown> {
  return ({ status, headers, body }) =>
    readAll(body, MAX_ANSWER_BYTES, (bytes) => {
      const answer = parseIfJson(bytes.toString());
      if (status !== 200) throw api.toError(status, headers, answer, call);
      return answer;
    });
}
