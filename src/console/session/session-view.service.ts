import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Session } from '../../accounts/session.types.js';
import { SetupService } from '../../accounts/setup.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { GATEWAY_VERSION } from '../../config/gateway-version.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { ClockService } from '../../database/clock.service.js';
import { DAY_MS } from '../shared/days.js';
import type {
  KeyPolicyView,
  SessionLastingView,
  SessionPlanView,
  SessionView,
  SsoView,
} from './dto/session-view.dto.js';
import { consoleUrl } from './request-origin.js';

const SECOND_MS = 1000;

/** What the pages know about the signed-in person. */
@Injectable()
export class SessionViewService {
  constructor(
    private readonly plans: PlansService,
    private readonly setup: SetupService,
    private readonly clock: ClockService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async of(session: Session | null, request: Request): Promise<SessionView> {
    const isSignedIn = session !== null;
    const url = consoleUrl(request, this.settings);
    return {
      user: session && toUserView(session),
      plan: session && (await this.planOf(session.user.id)),
      baseUrl: `${url}/v1`,
      listBaseUrl: `${url}/openai/v1`,
      signIn: {
        local: this.settings.signIn.local,
        oidc: ssoLinks(this.settings),
        setupNeeded: !isSignedIn && (await this.setup.isNeeded()),
      },
      keyPolicy: toKeyPolicyView(this.settings.keyPolicy),
      lasting: session && this.lastingOf(session),
      payments: isSignedIn && this.settings.stripe !== null,
      contentLogDays: isSignedIn ? this.contentLogDays() : null,
      version: isSignedIn ? GATEWAY_VERSION : null,
    };
  }

  private lastingOf({ expiresAt }: Session): SessionLastingView {
    const endsInMs = expiresAt.getTime() - this.clock.now();
    return {
      idleSeconds: this.settings.signIn.sessionIdle / SECOND_MS,
      endsInSeconds: Math.floor(endsInMs / SECOND_MS),
    };
  }

  private contentLogDays(): number | null {
    const { contentLogKeys, contentLog } = this.settings;
    return contentLogKeys.length > 0 ? contentLog.retention / DAY_MS : null;
  }

  private async planOf(userId: string): Promise<SessionPlanView | null> {
    const held = (await this.plans.currentOf([userId])).get(userId);
    if (!held) return null;
    const { id, name, tiers } = held.plan;
    return { id, name, tiers: [...tiers] };
  }
}

function toUserView({ user: { id, email, name, role } }: Session) {
  return { id, email, name, role };
}

function toKeyPolicyView({ maxLifetime, defaultLifetime }: Settings['keyPolicy']): KeyPolicyView {
  return {
    maxLifetimeDays: maxLifetime === null ? null : maxLifetime / DAY_MS,
    defaultLifetimeDays: Math.min(defaultLifetime, maxLifetime ?? Number.POSITIVE_INFINITY) / DAY_MS,
  };
}

/** The buttons for single sign-on. */
function ssoLinks({ signIn: { oidc } }: Settings): SsoView[] {
  return oidc ? [{ id: 'oidc', label: oidc.label, startUrl: '/api/oidc/start' }] : [];
}
