import { Injectable } from '@nestjs/common';
import { lastValueFrom, tap, toArray } from 'rxjs';
import { GatewayError } from '../common/gateway.error.js';
import type { ModelSettings, TargetSettings } from '../config/models.settings.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import type { UpstreamSettings } from '../config/upstreams.settings.js';
import { ownCall } from './attempt/probe-call.js';
import { AttemptService } from './attempt.service.js';
import { CloudCredentialsService, type CredentialState } from './cloud-credentials.service.js';
import type { Answer, CompletionUsage } from './contract/chat.types.js';
import { UpstreamError } from './contract/upstream.error.js';
import { liveTargetsOf, toLiveTarget } from './live-targets.js';
import type { LiveTarget } from './target.types.js';
import { toCallerError, UpstreamAccesses, withoutCredential } from './upstream-access.js';

export interface UpstreamStatus {
  readonly upstream: UpstreamSettings;
  /** Whether there is a credential, or none is needed. */
  readonly isLive: boolean;
  /** Of a cloud; null: it has an API key or none. */
  readonly credential: CredentialState | null;
}

@Injectable()
export class UpstreamStatusService {
  constructor(
    private readonly accesses: UpstreamAccesses,
    private readonly clouds: CloudCredentialsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  list(): UpstreamStatus[] {
    return [...this.settings.upstreams.values()].map((upstream) => this.of(upstream));
  }

  /** Null: there is no such upstream. */
  find(name: string): UpstreamStatus | null {
    const upstream = this.settings.upstreams.get(name);
    return upstream ? this.of(upstream) : null;
  }

  isLive(upstream: UpstreamSettings): boolean {
    return this.accesses.find(upstream) !== null;
  }

  /** The live targets for a target of models.yaml: one for each key of its upstream. */
  targetsOf(target: TargetSettings): LiveTarget[] {
    const upstream = this.settings.upstreams.get(target.upstream);
    return upstream && this.isLive(upstream) ? liveTargetsOf(target, upstream) : [];
  }

  private of(upstream: UpstreamSettings): UpstreamStatus {
    const isLive = this.isLive(upstream);
    return { upstream, isLive, credential: this.clouds.stateOf(upstream) };
  }
}

/** The result of one small call. */
export interface UpstreamTest {
  upstream: string;
  /** Null: the upstream has no named keys. */
  key: string | null;
  kind: 'json' | 'stream';
  ok: boolean;
  /** The public model id; null if no model of the catalog uses this upstream. */
  model: string | null;
  firstTokenMs: number | null;
  /** The time until the end or the failure. */
  ms: number;
  usage: CompletionUsage | null;
  /** The code and message that a client would see. */
  error: string | null;
  /** The upstream's own message, or why it could not be reached. For operators only. */
  reason: string | null;
  /** That the credential is not renewed, although it is still valid; null otherwise. */
  warning: string | null;
}

const QUESTION = { text: 'Answer with the word OK.', maxTokens: 64 };
const MAX_REASON_LENGTH = 500;

/** Makes real calls to upstreams so that operators can check them. They involve no key, plan or ledger. */
@Injectable()
export class UpstreamTestService {
  constructor(
    private readonly attempts: AttemptService,
    private readonly accesses: UpstreamAccesses,
    private readonly clouds: CloudCredentialsService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  live(): UpstreamSettings[] {
    return [...this.settings.upstreams.values()].filter((upstream) => this.accesses.find(upstream) !== null);
  }

  /**
   * Makes a JSON call and a streamed call with each key, each within `limitMs`, for the first chat model of the catalog
   * that uses the upstream. If there is none, requests an embedding.
   */
  async test(upstream: UpstreamSettings, limitMs = upstream.clocks.total): Promise<UpstreamTest[]> {
    const served = this.settings.models.filter(({ targets }) =>
      targets.some((target) => target.upstream === upstream.name),
    );
    const model = served.find(({ kind }) => kind === 'chat') ?? served[0];
    const test = async (one: UpstreamSettings) => {
      const whole = await this.call(one, model, 'json', limitMs);
      return model?.kind === 'embedding' ? [whole] : [whole, await this.call(one, model, 'stream', limitMs)];
    };
    const results = (await Promise.all((upstream.byKey.length > 0 ? upstream.byKey : [upstream]).map(test))).flat();
    return results.map((result) => ({ ...result, warning: this.clouds.warningOf(upstream) }));
  }

  private async call(
    upstream: UpstreamSettings,
    model: ModelSettings | undefined,
    kind: UpstreamTest['kind'],
    limitMs: number,
  ): Promise<Omit<UpstreamTest, 'warning'>> {
    const base = {
      upstream: upstream.name,
      key: upstream.keyName,
      kind,
      model: model?.id ?? null,
      firstTokenMs: null,
      ms: 0,
      usage: null,
      reason: null,
    };
    const target = model?.targets.find((one) => one.upstream === upstream.name);
    if (!model || !target) {
      return { ...base, ok: false, error: 'no model of the catalog has this upstream as a target' };
    }
    const startedMs = performance.now();
    const elapsed = () => Math.round(performance.now() - startedMs);
    let firstTokenMs: number | null = null;
    const question = { ...QUESTION, stream: kind === 'stream' };
    const deadline = startedMs + Math.min(limitMs, upstream.clocks.total);
    try {
      const answers = await lastValueFrom(
        ownCall(this.attempts, model, toLiveTarget(target, upstream), question, deadline).pipe(
          tap(() => {
            firstTokenMs ??= elapsed();
          }),
          toArray<Answer>(),
        ),
      );
      return { ...base, ok: true, firstTokenMs, ms: elapsed(), usage: usageOf(answers), error: null };
    } catch (error) {
      return { ...base, ok: false, ms: elapsed(), ...describe(error, upstream) };
    }
  }
}

function usageOf(answers: readonly Answer[]): CompletionUsage | null {
  return answers.findLast(({ usage }) => usage)?.usage ?? null;
}

function describe(error: unknown, upstream: UpstreamSettings): Pick<UpstreamTest, 'error' | 'reason'> {
  if (error instanceof UpstreamError) {
    const shown = toCallerError(error, upstream);
    const status = ` (the upstream's status: ${shown.failure.status || 'none'})`;
    return { error: `${shown.body.code}: ${shown.body.message}${status}`, reason: reasonOf(shown, upstream) };
  }
  const isShown = error instanceof GatewayError;
  return { error: isShown ? `${error.body.code}: ${error.body.message}` : 'internal_error', reason: null };
}

function reasonOf({ failure, cause }: UpstreamError, upstream: UpstreamSettings): string | null {
  const { message = '', code = '' } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  const text = failure.message || message || code;
  return withoutCredential(text, upstream).slice(0, MAX_REASON_LENGTH) || null;
}
