import type { GatewayProcess, HealthNews } from './health-news.types.js';
import type { Verdict } from './verdict.js';

/** `free`, or why it is set aside; `probe`: the next call tests whether it works again. */
export type Standing = 'free' | 'probe' | 'failing' | 'limited' | 'refused';

/** An attempt at a target. */
export interface TrackedAttempt {
  readonly begunAt: number;
  readonly isProbe: boolean;
}

/** Instants are `performance.now()`. */
export interface TargetState {
  readonly upstream: string;
  /** Null: the upstream has a single key. */
  readonly key: string | null;
  readonly model: string;
  readonly underWay: number;
  standing(now: number): Standing;
  /** The time at which it is expected to be free again; null: it is not set aside. */
  asideUntil(now: number): number | null;
  begin(now: number): TrackedAttempt;
  /** Starts the gateway's own probe; null: none is due. */
  beginProbe(now: number): TrackedAttempt | null;
  /** Called at the first chunk, so that a probe need not wait for the end. True: the target is free again. */
  answered(attempt: TrackedAttempt): boolean;
  /** The process that set it aside; null: this one, or it is not set aside. */
  asideBy(now: number): GatewayProcess | null;
  /** How many times in a row it was set aside for failures. */
  readonly timesAside: number;
  /** Call once for each attempt. Returns whether it set the target aside or freed it. */
  end(
    attempt: TrackedAttempt,
    verdict: Verdict,
    now: number,
    retryAfterMs?: number,
  ): 'aside' | 'limited' | 'back' | null;
  takeOver(news: HealthNews, now: number, by: GatewayProcess): void;
}

/** A target was set aside or freed; without a model it is a whole key or upstream. */
export interface HealthChange {
  readonly kind: 'aside' | 'back';
  readonly upstream: string;
  /** Null: all keys, or the upstream has a single one. */
  readonly key: string | null;
  /** The upstream's name for the model; null: all models. */
  readonly model: string | null;
  /**
   * `failing`: too many failures; `refused`: the upstream refuses the credential or its quota is spent; `certificate`:
   * the gateway does not trust its certificate.
   */
  readonly reason: 'failing' | 'refused' | 'certificate' | null;
  /** Null when freed. */
  readonly forMs: number | null;
}

export interface TargetHealth {
  readonly upstream: string;
  /** Null: the upstream has a single key. */
  readonly key: string | null;
  readonly model: string;
  readonly standing: Standing;
  /** Null: not set aside. */
  readonly asideForMs: number | null;
  readonly underWay: number;
  /** The process that set it aside; null: this one, or it is not set aside. */
  readonly asideBy: GatewayProcess | null;
}
