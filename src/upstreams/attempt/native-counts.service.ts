import { Injectable } from '@nestjs/common';
import { firstValueFrom, switchMap } from 'rxjs';
import { sealRawJson } from '../../json/raw-json.js';
import { joinUrl } from '../client/join-url.js';
import { readAll } from '../client/read-all.js';
import { UpstreamClient } from '../client/upstream.client.js';
import type { ChatCompletionRequest } from '../contract/chat.types.js';
import type { PassedBody } from '../contract/native.body.js';
import type { NativeApi, ProviderCall, ProviderRequest } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';
import type { LiveTarget } from '../targets/target.types.js';
import { nativeApiOf } from './native-api-of.js';
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
  async count(counted: CountedRequest, target: LiveTarget): Promise<number | null> {
    const { adapter } = this.accesses.get(target.upstream);
    const call = toProviderCall(counted, target);
    const api = nativeApiOf(adapter, counted.native, call);
    if (!api?.counts) return null;
    sealRawJson(counted.native.fields);
    const request = api.counts.toRequest(call, counted.native);
    if (request === null) return null;
    const tokens = api.counts.fromResponse(await this.send(request, call, api, target));
    if (tokens === undefined) throw new UpstreamError({ status: 502, message: 'The answer has no count.' });
    return tokens;
  }

  private async send(
    { method, path, headers, body }: ProviderRequest,
    call: ProviderCall,
    api: NativeApi,
    { upstream }: LiveTarget,
  ): Promise<unknown> {
    const unsigned = {
      method,
      url: joinUrl(upstream.baseUrl, path),
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: await sentJsonInTurns(body),
    };
    const credential = await this.accesses.get(upstream).sign(unsigned);
    const response = this.client.send({
      ...unsigned,
      headers: { ...unsigned.headers, ...credential },
      upstream: upstream.name,
      clocks: upstream.clocks,
      streamed: false,
      deadline: performance.now() + LIMIT_MS,
    });
    const read = response.pipe(
      switchMap(({ status, headers, body }) =>
        readAll(body, MAX_ANSWER_BYTES, (bytes) => {
          const answer = parsed(bytes.toString());
          if (status !== 200) throw api.toError(status, headers, answer, call);
          return answer;
        }),
      ),
    );
    return firstValueFrom(read);
  }
}

function toProviderCall({ id, model, request }: CountedRequest, target: LiveTarget): ProviderCall {
  return {
    id,
    created: 0,
    model: model.id,
    upstreamModel: target.upstreamModel,
    request,
    reasonsWithoutTools: target.reasonsWithoutTools,
    maxOutputTokens: model.maxOutputTokens,
    settings: target.upstream.settings,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
