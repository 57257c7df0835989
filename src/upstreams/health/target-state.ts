import type { Settings } from '../../config/settings.js';
import { missingPart, type UpstreamFailure } from '../contract/upstream.error.js';
import type { GatewayProcess, HealthNews } from '../target.types.js';

/** `free`, or why it is set aside; `probe`: the next call tests whether it works again. */
export type Standing = 'free' | 'probe' | 'failing' | 'limited' | 'refused' | 'credential';

/** An attempt at a target. */
export interface TrackedAttempt {
  readonly begunAt: number;
  readonly isProbe: boolean;
}

/** Shared by all models of an upstream, or of one of its keys. */
export interface UpstreamState {
  refusedUntil: number;
  /** The gateway has no valid credential for it, and tries to get one until then. */
  noCredentialUntil: number;
  /** The process that reported it; null: this one. */
  refusedBy: GatewayProcess | null;
}

const LIMITED_MS = 1000;
const MAX_LIMITED_MS = 60_000;
/** How long callers' calls leave the probe to the gateway, whose probing process may have ended. */
const PROBE_GRACE_MS = 5000;

/** The recent results of one target, and whether it is set aside. Instants are `performance.now()`. */
export class TargetState {
  underWay = 0;
  private answeredAt = Number.NEGATIVE_INFINITY;
  private failuresInARow = 0;
  private readonly window = new CallWindow();
  /** Set while it is set aside for failures. */
  private aside: { since: number; until: number; times: number; by: GatewayProcess | null } | null = null;
  private limitedUntil = 0;
  private limitedBy: GatewayProcess | null = null;
  private probing = false;

  constructor(
    readonly upstream: string,
    /** Null: the upstream has a single key. */
    readonly key: string | null,
    readonly model: string,
    private readonly ofUpstream: UpstreamState,
    /** The same as the upstream's if it has a single key. */
    private readonly ofKey: UpstreamState,
    private readonly rules: () => Settings['routing'],
    /** Whether the gateway probes the target before a caller's call may. */
    private readonly isProbed: () => boolean,
  ) {}

  standing(now: number): Standing {
    if (this.ofUpstream.noCredentialUntil > now) return 'credential';
    if (this.ofKey.refusedUntil > now || this.ofUpstream.refusedUntil > now) return 'refused';
    if (this.aside && (this.probing || now < this.aside.until + this.graceMs)) return 'failing';
    if (this.limitedUntil > now) return 'limited';
    return this.aside ? 'probe' : 'free';
  }

  /** The time at which it is expected to be free again; null: it is not set aside. */
  asideUntil(now: number): number | null {
    const { ofUpstream, ofKey } = this;
    const refusedUntil = Math.max(ofUpstream.noCredentialUntil, ofUpstream.refusedUntil, ofKey.refusedUntil);
    const until = Math.max(refusedUntil, this.aside?.until ?? 0, this.limitedUntil);
    return until > now ? until : null;
  }

  private get graceMs(): number {
    return this.isProbed() ? PROBE_GRACE_MS : 0;
  }

  /** The process that set it aside; null: this one, or it is not set aside. */
  asideBy(now: number): GatewayProcess | null {
    switch (this.standing(now)) {
      case 'refused':
        return (this.ofKey.refusedUntil > now ? this.ofKey : this.ofUpstream).refusedBy;
      case 'failing':
        return this.aside?.by ?? null;
      case 'limited':
        return this.limitedBy;
      default:
        return null;
    }
  }

  /** How many times in a row it was set aside for failures. */
  get timesAside(): number {
    return this.aside?.times ?? 0;
  }

  begin(now: number): TrackedAttempt {
    this.underWay++;
    const isProbe = this.standing(now) === 'probe';
    if (isProbe) this.probing = true;
    return { begunAt: now, isProbe };
  }

  /** Starts the gateway's own probe; null: none is due. */
  beginProbe(now: number): TrackedAttempt | null {
    if (!this.aside || this.probing || now < this.aside.until) return null;
    this.underWay++;
    this.probing = true;
    return { begunAt: now, isProbe: true };
  }

  /** Whether it has answered another call since then. */
  hasAnsweredSince(instant: number): boolean {
    return this.answeredAt > instant;
  }

  /** Called at the first chunk, so that a probe need not wait for the end. True: the target is free again. */
  answered({ isProbe }: TrackedAttempt, now: number): boolean {
    this.answeredAt = now;
    if (!isProbe || !this.aside) return false;
    this.free();
    return true;
  }

  /** Call once for each attempt. Returns whether it set the target aside or freed it. */
  end(
    attempt: TrackedAttempt,
    verdict: Verdict,
    now: number,
    retryAfterMs?: number,
  ): 'aside' | 'limited' | 'back' | null {
    this.underWay--;
    if (attempt.isProbe) this.probing = false;
    switch (verdict) {
      case 'works':
        return this.worked(attempt, now);
      case 'fails':
        return this.failed(attempt, now);
      case 'limited':
        return this.limit(now, now + limitedFor(retryAfterMs), null) ? 'limited' : null;
      default:
        return null;
    }
  }

  takeOver({ kind, forMs, times }: HealthNews, now: number, by: GatewayProcess): void {
    if (kind === 'back') this.free();
    if (kind === 'limited') this.limit(now, now + forMs, by);
    if (kind !== 'failing') return;
    const until = Math.max(now + forMs, this.aside?.until ?? 0);
    this.aside = { since: now, until, times: Math.max(times, this.timesAside), by };
  }

  /** Returns whether this is new. */
  private limit(now: number, until: number, by: GatewayProcess | null): boolean {
    if (until <= this.limitedUntil) return false;
    const isNews = this.limitedUntil <= now;
    this.limitedUntil = until;
    this.limitedBy = by;
    return isNews;
  }

  private worked({ begunAt }: TrackedAttempt, now: number): 'back' | null {
    this.failuresInARow = 0;
    this.window.add(now, this.rules().window, false);
    // Attempts that began before the target was set aside do not show its state since then.
    if (!this.aside || begunAt <= this.aside.since) return null;
    this.free();
    return 'back';
  }

  private failed({ isProbe, begunAt }: TrackedAttempt, now: number): 'aside' | null {
    if (this.aside) {
      // Another process may have reported the same failure meanwhile, which counts once.
      if (!isProbe || this.aside.since > begunAt) return null;
      this.setAside(now, this.aside.times + 1);
      return 'aside';
    }
    const { consecutiveFailures, failurePercent, minimumCalls, window } = this.rules();
    this.window.add(now, window, true);
    this.failuresInARow++;
    const { calls, failures } = this.window.count(now, window);
    const isHalf = calls >= minimumCalls && failures * 100 >= calls * failurePercent;
    if (this.failuresInARow < consecutiveFailures && !isHalf) return null;
    this.setAside(now, 1);
    return 'aside';
  }

  private setAside(now: number, times: number): void {
    const { asideFor, asideAtMost } = this.rules();
    this.aside = { since: now, until: now + Math.min(asideFor * 2 ** (times - 1), asideAtMost), times, by: null };
  }

  private free(): void {
    this.aside = null;
    this.failuresInARow = 0;
    this.window.clear();
  }
}

function limitedFor(retryAfterMs: number | undefined): number {
  return Math.min(retryAfterMs || LIMITED_MS, MAX_LIMITED_MS);
}

const SLOTS = 10;

/** A sliding window of recent calls and failures that moves in steps of a tenth. */
class CallWindow {
  private readonly calls = new Uint32Array(SLOTS);
  private readonly failures = new Uint32Array(SLOTS);
  /** The number of the time slice in each slot. */
  private readonly slices = new Float64Array(SLOTS).fill(-1);

  add(now: number, lengthMs: number, failed: boolean): void {
    const slice = sliceOf(now, lengthMs);
    const slot = slice % SLOTS;
    if (this.slices[slot] !== slice) {
      this.slices[slot] = slice;
      this.calls[slot] = 0;
      this.failures[slot] = 0;
    }
    this.calls[slot] = (this.calls[slot] ?? 0) + 1;
    if (failed) this.failures[slot] = (this.failures[slot] ?? 0) + 1;
  }

  count(now: number, lengthMs: number): { calls: number; failures: number } {
    const oldest = sliceOf(now, lengthMs) - SLOTS;
    let calls = 0;
    let failures = 0;
    for (let slot = 0; slot < SLOTS; slot++) {
      if ((this.slices[slot] ?? -1) <= oldest) continue;
      calls += this.calls[slot] ?? 0;
      failures += this.failures[slot] ?? 0;
    }
    return { calls, failures };
  }

  clear(): void {
    this.slices.fill(-1);
  }
}

function sliceOf(now: number, lengthMs: number): number {
  return Math.floor((now * SLOTS) / lengthMs);
}

/**
 * What an attempt shows about its target: `works` (also for a request or an answer that was refused as invalid), `fails`, `limited`
 * for now, `refused` (credential, account or certificate), or `unknown`.
 */
type Verdict = 'works' | 'fails' | 'limited' | 'refused' | 'unknown';

export function verdictOf(failure: UpstreamFailure): Verdict {
  const { status, credentialRefused, certificateRefused, quotaSpent, limit, answerRefused } = failure;
  if (credentialRefused || certificateRefused || quotaSpent) return 'refused';
  if (limit === 'size' || answerRefused) return 'works';
  switch (status) {
    case 400:
    case 413:
    case 422:
      return 'works';
    case 401:
    case 402:
    case 403:
      return 'refused';
    case 429:
      return 'limited';
    case 0:
      return 'fails';
    default:
      return status >= 500 ? 'fails' : 'unknown';
  }
}

/** Whether the failure concerns the key, so that another key of the upstream may work. */
export function isOfKey(failure: UpstreamFailure): boolean {
  if (failure.certificateRefused) return false;
  const verdict = verdictOf(failure);
  if (verdict === 'refused' || verdict === 'limited') return true;
  return failure.status === 404 && missingPart(failure.message) === 'model';
}
