import { Injectable } from '@nestjs/common';
import { lastValueFrom, tap, toArray } from 'rxjs';
import { GatewayError } from '../common/gateway.error.js';
import { idGenerator } from '../common/random-id.js';
import type { ModelSettings } from '../config/models.settings.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import type { UpstreamSettings } from '../config/upstreams.settings.js';
import type { CompletionUsage } from './chat.types.js';
import type { Answer } from './completion.call.js';
import { AttemptService } from './routing/attempt.service.js';
import { toldUpstreamError } from './routing/told-upstream.error.js';
import { UpstreamAccesses } from './routing/upstream-access.js';
import { UpstreamError } from './upstream/upstream.error.js';

/** How one tiny call went. */
export interface UpstreamTest {
  upstream: string;
  kind: 'json' | 'stream';
  ok: boolean;
  /** The public model id; null when no model of the catalog has this upstream as a target. */
  model: string | null;
  firstTokenMs: number | null;
  usage: CompletionUsage | null;
  /** The code and message that a client would be told. */
  error: string | null;
}

const QUESTION = { messages: [{ role: 'user' as const, content: 'Answer with the word OK.' }], max_tokens: 64 };
const newCallId = idGenerator('chatcmpl-', 16);

/** Calls upstreams for real, past keys, plans and the ledger: for operators who want to know whether they work. */
@Injectable()
export class UpstreamTestService {
  constructor(
    private readonly attempts: AttemptService,
    private readonly accesses: UpstreamAccesses,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** The configured upstreams that have an adapter and a credential. */
  live(): UpstreamSettings[] {
    return [...this.settings.upstreams.values()].filter((upstream) => this.accesses.find(upstream) !== null);
  }

  /** One JSON call and one streamed one, at the first model of the catalog that the upstream serves. */
  async test(upstream: UpstreamSettings): Promise<UpstreamTest[]> {
    const model = this.settings.models.find(({ targets }) =>
      targets.some((target) => target.upstream === upstream.name),
    );
    return [await this.call(upstream, model, 'json'), await this.call(upstream, model, 'stream')];
  }

  private async call(
    upstream: UpstreamSettings,
    model: ModelSettings | undefined,
    kind: UpstreamTest['kind'],
  ): Promise<UpstreamTest> {
    const base = { upstream: upstream.name, kind, model: model?.id ?? null, firstTokenMs: null, usage: null };
    const upstreamModel = model?.targets.find((target) => target.upstream === upstream.name)?.model;
    if (!model || upstreamModel === undefined) {
      return { ...base, ok: false, error: 'no model of the catalog has this upstream as a target' };
    }
    const startedMs = performance.now();
    let firstTokenMs: number | null = null;
    const call = { id: newCallId(), startedAt: new Date(), model, flow: null };
    const request = { ...QUESTION, model: model.id, stream: kind === 'stream' };
    const target = { upstream, upstreamModel, priority: 1, weight: 1 };
    try {
      const answers = await lastValueFrom(
        this.attempts.run(call, request, target, startedMs + upstream.clocks.total).pipe(
          tap(() => {
            firstTokenMs ??= Math.round(performance.now() - startedMs);
          }),
          toArray<Answer>(),
        ),
      );
      return { ...base, ok: true, firstTokenMs, usage: usageOf(answers), error: null };
    } catch (error) {
      return { ...base, ok: false, error: describe(error, upstream) };
    }
  }
}

function usageOf(answers: readonly Answer[]): CompletionUsage | null {
  return answers.findLast(({ usage }) => usage)?.usage ?? null;
}

function describe(error: unknown, upstream: UpstreamSettings): string {
  const told = error instanceof UpstreamError ? toldUpstreamError(error, upstream) : error;
  if (!(told instanceof GatewayError)) return 'internal_error';
  const status = error instanceof UpstreamError ? ` (the upstream's status: ${error.failure.status || 'none'})` : '';
  return `${told.body.code}: ${told.body.message}${status}`;
}
