import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Request } from 'express';
import { PERMISSION_NAMES, type Permission } from '../../accounts/permissions.js';
import type { ProjectRole } from '../../accounts/project.types.js';
import { ProjectMembersService } from '../../accounts/project-members.service.js';
import { SetupService } from '../../accounts/setup.service.js';
import { labelOf, type Session } from '../../accounts/user.types.js';
import { PlansService } from '../../billing/plans.service.js';
import { GATEWAY_VERSION } from '../../config/environment.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { ClockService } from '../../database/clock.service.js';
import { PlanNameView } from '../shared/plan.view.js';
import { DAY_MS } from '../shared/validation.js';
import { Integer, NumberOrNull, PersonView, TextOrNull, ViewOrNull } from '../shared/views.js';
import { consoleUrl } from './current-session.js';

export class SessionUserView extends PersonView {}

class SessionPlanView extends PlanNameView {
  @ApiProperty({ type: [String], example: ['free', 'pro'] })
  tiers!: string[];
}

class SsoView {
  @ApiProperty({ example: 'oidc' })
  id!: string;

  @ApiProperty({ example: 'Single sign-on' })
  label!: string;

  @ApiProperty({ description: 'Where a browser goes to sign in; takes `?next=/path`.', example: '/api/oidc/start' })
  startUrl!: string;
}

export class SignInView {
  @ApiProperty({ description: 'Whether people can sign in with e-mail address and password.' })
  local!: boolean;

  @ApiProperty({ type: [SsoView] })
  oidc!: SsoView[];

  @ApiProperty({ description: 'There is no administrator yet: the setup link creates the first.' })
  setupNeeded!: boolean;
}

class KeyPolicyView {
  @NumberOrNull('The longest lifetime of a key; null: no limit.')
  maxLifetimeDays!: number | null;

  @NumberOrNull('The suggested lifetime of a new key.')
  defaultLifetimeDays!: number | null;
}

class SessionLastingView {
  @ApiProperty({ description: 'It ends this many seconds after the last request, or up to 60 seconds earlier.' })
  idleSeconds!: number;

  @Integer('It ends in this many seconds in any case.')
  endsInSeconds!: number;
}

/** Who is signed in, and what the sign-in page needs to know. */
export class SessionView {
  @ViewOrNull(SessionUserView, 'Null: nobody is signed in.')
  user!: SessionUserView | null;

  @ViewOrNull(SessionPlanView)
  plan!: SessionPlanView | null;

  @ApiProperty({
    enum: PERMISSION_NAMES,
    isArray: true,
    description: 'What the person may do for everything that the gateway has, beside what everyone may do.',
  })
  permissions!: Permission[];

  @TextOrNull('The highest role of the person in any project, `manager` or `member`; null: in no project.')
  projectRole!: ProjectRole | null;

  @ViewOrNull(SessionLastingView, 'How long the session lasts.')
  lasting!: SessionLastingView | null;

  @ApiProperty({ description: 'Whether plans are for sale; `GET /api/payments` has details.' })
  payments!: boolean;

  @NumberOrNull('How long the content log keeps prompts and answers; null: it cannot be switched on.')
  contentLogDays!: number | null;

  @ApiProperty({ description: 'The base URL for API clients.', example: 'https://gateway.example.com/v1' })
  baseUrl!: string;

  @ApiProperty({
    description: 'The base URL for apps that list models, with OpenAI’s list.',
    example: 'https://gateway.example.com/openai/v1',
  })
  listBaseUrl!: string;

  @ApiProperty({ type: SignInView })
  signIn!: SignInView;

  @ApiProperty({ type: KeyPolicyView })
  keyPolicy!: KeyPolicyView;

  @TextOrNull('The gateway’s version; only with a session.')
  version!: string | null;
}

const SECOND_MS = 1000;

/** What the pages know about the signed-in person. */
@Injectable()
export class SessionViewService {
  constructor(
    private readonly plans: PlansService,
    private readonly setup: SetupService,
    private readonly members: ProjectMembersService,
    private readonly clock: ClockService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async of(session: Session | null, request: Request): Promise<SessionView> {
    const isSignedIn = session !== null;
    const url = consoleUrl(request, this.settings);
    return {
      user: session && toUserView(session),
      plan: session && (await this.planOf(session.user.id)),
      permissions: PERMISSION_NAMES.filter((name) => session?.rights.mayAll(name)),
      projectRole: session && (await this.projectRoleOf(session.user.id)),
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

  private async projectRoleOf(userId: string): Promise<ProjectRole | null> {
    const roles = [...(await this.members.rolesOf(userId)).values()];
    return roles.includes('manager') ? 'manager' : (roles[0] ?? null);
  }

  private async planOf(userId: string): Promise<SessionPlanView | null> {
    const granted = (await this.plans.currentOf([userId])).get(userId);
    if (!granted) return null;
    const { id, name, tiers } = granted.plan;
    return { id, name, tiers: [...tiers] };
  }
}

function toUserView({ user }: Session) {
  const { id, name, role } = user;
  return { id, email: labelOf(user), name, role };
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
