import type { GatewayProcess, HealthNews } from './health-news.types.js';
import type { Verdict } from './verdict.js';

/** `free`, or why it is set aside; `probe`: the next call finds out whether it works again. */
export type Standing = 'free' | 'probe' | 'failing' | 'limited' | 'refused';

/** An attempt at a target, from its beginning on. */
export interface Passage {
  readonly begunAt: number;
  readonly isProbe: boolean;
}

/** What is known of a target. Instants are those of `performance.now()`. */
export interface TargetState {
  readonly upstream: string;
  /** The name of its key, where the upstream has several. */
  readonly key: string | null;
  readonly model: string;
  /** Attempts under way. */
  readonly underWay: number;
  standing(now: number): Standing;
  /** When it is no longer set aside by what is known now; null: it is not. */
  asideUntil(now: number): number | null;
  begin(now: number): Passage;
  /** The gateway itself asks whether it works again; null: it is not set aside, not any more or again. */
  beginProbe(now: number): Passage | null;
  /** The first of an answer is there: a probe need not wait for its end. True: the target is brought back. */
  answered(passage: Passage): boolean;
  /** Which other process found out why it is set aside; null: this one, or it is not. */
  asideBy(now: number): GatewayProcess | null;
  /** How many times on end it was set aside for its failures. */
  readonly timesAside: number;
  /** Each passage ends once. Says whether the target was set aside by it, or brought back. */
  end(passage: Passage, verdict: Verdict, now: number, retryAfterMs?: number): 'aside' | 'limited' | 'back' | null;
  /** Another process found something out. */
  takeOver(news: HealthNews, now: number, by: GatewayProcess): void;
}

/** A target that is set aside, or comes back; without a model it is all of a key, or of the upstream. */
export interface HealthChange {
  readonly kind: 'aside' | 'back';
  readonly upstream: string;
  /** Null: all its keys, or it has no several. */
  readonly key: string | null;
  /** The upstream's name of the model; null: all of them. */
  readonly model: string | null;
  /**
   * `failing`: it failed too often; `refused`: it refuses this gateway's credential, or the account's quota is spent;
   * `certificate`: the gateway does not trust its certificate.
   */
  readonly reason: 'failing' | 'refused' | 'certificate' | null;
  /** Null for one that comes back. */
  readonly forMs: number | null;
}

/** How a target fares now. */
export interface TargetHealth {
  readonly upstream: string;
  /** The name of its key, where the upstream has several. */
  readonly key: string | null;
  readonly model: string;
  readonly standing: Standing;
  /** Null: it is not set aside. */
  readonly asideForMs: number | null;
  readonly underWay: number;
  /** Which other process found that out; null: this one, or it is not set aside. */
  readonly asideBy: GatewayProcess | null;
}
