import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import type { Alert } from '../alerts/alert.types.js';
import { AlertsService } from '../alerts/alerts.service.js';
import { chatText } from '../common/text.js';
import { ClockService } from '../database/clock.service.js';
import { DatabaseService } from '../database/database.service.js';
import { OutageServingService } from '../ledger/outage-serving.service.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';
import { CloudCredentialsService, type CredentialRenewal } from '../upstreams/cloud-credentials.service.js';
import type { HealthChange } from '../upstreams/target-health.service.js';
import { TargetHealthService } from '../upstreams/target-health.service.js';

const LEDGER_LOOK_MS = 1000;

/** Alerts when this process can no longer write the ledger, and when it can again. */
@Injectable()
export class LedgerWatchService {
  private timer: NodeJS.Timeout | undefined;
  private isDown = false;

  constructor(
    private readonly ledger: UsageLedgerService,
    private readonly alerts: AlertsService,
    private readonly serving: OutageServingService,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => this.look(), LEDGER_LOOK_MS).unref();
    });
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const isDown = !this.ledger.isWritable;
    if (isDown === this.isDown) return;
    this.isDown = isDown;
    const subject = hostname();
    const effect = this.serving.isOn
      ? 'known callers are served for a limited time, without checking their limits'
      : 'new calls get a 503';
    const text = isDown
      ? chatText`The usage ledger cannot be written on ${subject}: ${effect}. Check the database.`
      : chatText`The usage ledger can be written again on ${subject}.`;
    this.alerts.alertWithoutDatabase({ type: isDown ? 'ledger_down' : 'ledger_back', subject, text });
  }
}

const FLAPPING_ASIDES = 3;
const WINDOW_MS = 600_000;
const LOOK_MS = 10_000;

/** Alerts when targets are set aside or come back; if several processes find out, one sends the alert. */
@Injectable()
export class TargetWatchService {
  private readonly flapping = new FlappingTargets<HealthChange>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    health: TargetHealthService,
    clouds: CloudCredentialsService,
    private readonly alerts: AlertsService,
    private readonly clock: ClockService,
  ) {
    health.changes.subscribe((change) => {
      const isFailing = change.reason === null || change.reason === 'failing';
      const asides = isFailing ? this.flapping.note(nameOf(change), change, performance.now()) : 1;
      if (asides !== null) this.alert(change, asides);
    });
    clouds.renewals.subscribe((renewal) => this.alerts.alert(toRenewalAlert(renewal)));
    this.timer = setInterval(() => {
      for (const { change, asides } of this.flapping.settled(performance.now())) this.alert(change, asides);
    }, LOOK_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private alert(change: HealthChange, asides: number): void {
    this.alerts.alert(toAlert(change, this.clock.date(), asides));
  }
}

interface Flaps<Change> {
  /** When it was set aside within the window. */
  asides: number[];
  /** Since it flaps. */
  total: number;
  isFlapping: boolean;
  last: { readonly change: Change; readonly at: number };
}

/** Targets that fail and work by turns get one alert with a count, and one when they have been steady for ten minutes. */
export class FlappingTargets<Change extends { readonly kind: string }> {
  private readonly targets = new Map<string, Flaps<Change>>();

  /** How often the target was set aside, for an alert now; null: it flaps, which was reported. */
  note(name: string, change: Change, now: number): number | null {
    const last = { change, at: now };
    const known = this.targets.get(name) ?? { asides: [], total: 0, isFlapping: false, last };
    this.targets.set(name, known);
    known.last = last;
    if (change.kind === 'aside') {
      known.asides = [...known.asides.filter((at) => at > now - WINDOW_MS), now];
      known.total = known.isFlapping ? known.total + 1 : known.asides.length;
    }
    if (known.isFlapping) return null;
    known.isFlapping = known.asides.length >= FLAPPING_ASIDES;
    return known.isFlapping ? known.total : 1;
  }

  /** Targets that flapped and have been steady since, for an alert now. */
  settled(now: number): { change: Change; asides: number }[] {
    const steady = [...this.targets].filter(([, { last }]) => last.at <= now - WINDOW_MS);
    for (const [name] of steady) this.targets.delete(name);
    return steady
      .filter(([, { isFlapping }]) => isFlapping)
      .map(([, { last, total }]) => ({ change: last.change, asides: total }));
  }
}

function nameOf({ upstream, key, model }: HealthChange): string {
  const whose = key === null ? upstream : `${upstream}, key ${key}`;
  return model === null ? whose : `${whose} (${model})`;
}

function toRenewalAlert({ upstream, isFailing, expiresAt }: CredentialRenewal): Alert {
  const end = expiresAt ? ` until ${expiresAt.toISOString()}` : '';
  const text = isFailing
    ? chatText`The credential of ${upstream} cannot be renewed; the previous one is used${end}. The log and the page Upstreams have the reason.`
    : chatText`The credential of ${upstream} is renewed again.`;
  const type = isFailing ? 'credential_failing' : 'credential_back';
  return { type, subject: upstream, text, topic: `credential:${upstream}` };
}

/** `asides`: how often it was set aside, if it fails and works by turns; otherwise 1. */
function toAlert(change: HealthChange, now: Date, asides: number): Alert {
  const { kind, upstream, reason } = change;
  const name = nameOf(change);
  const topic = `target:${name}`;
  if (kind === 'back') {
    const text =
      asides > 1
        ? chatText`${name} works again: it was set aside ${String(asides)} times and has been steady for ten minutes.`
        : chatText`${name} works again.`;
    return { type: 'target_back', subject: upstream, text, topic };
  }
  if (asides > 1) {
    const text = chatText`${name} fails and works by turns: it was set aside ${String(asides)} times within ten minutes. The next alert comes when it has been steady for ten minutes.`;
    return { type: 'target_aside', subject: upstream, text, topic };
  }
  if (reason === 'credential') {
    const text = chatText`The gateway has no valid credential for ${name}: it is set aside. The log and the page Upstreams have the reason.`;
    return { type: 'target_aside', subject: upstream, text, topic };
  }
  if (reason === 'failing') {
    const text = chatText`${name} failed too often: it is set aside until it works again.`;
    return { type: 'target_aside', subject: upstream, text, topic };
  }
  const text =
    reason === 'certificate'
      ? chatText`The certificate of ${name} is not trusted: it is set aside. Check its expiry, name and issuer.`
      : chatText`${name} refuses the gateway's credential or account: it is set aside. Check its key and quota.`;
  // The end of this state is not reported, so the alert is repeated once an hour.
  const hour = now.toISOString().slice(0, 13);
  return { type: 'target_aside', subject: upstream, text, topic: `${topic}:${reason}:${hour}` };
}
