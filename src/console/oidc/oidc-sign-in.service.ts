import { Injectable, Logger } from '@nestjs/common';
import { type OidcIdentity, OidcRefusal } from '../../accounts/oidc/oidc.types.js';
import { OidcClientService } from '../../accounts/oidc/oidc-client.service.js';
import { OidcFlowsService } from '../../accounts/oidc/oidc-flows.service.js';
import { OidcUsersService } from '../../accounts/oidc/oidc-users.service.js';
import type { ProjectRole } from '../../accounts/projects/project.types.js';
import { ProjectMembersService } from '../../accounts/projects/project-members.service.js';
import { ProjectsService } from '../../accounts/projects/projects.service.js';
import type { OpenedSession, SignInOrigin } from '../../accounts/session.types.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import type { UserWithEmail } from '../../accounts/user.types.js';
import type { Actor } from '../../audit/audit.types.js';
import { SyncedPlansService } from '../../billing/synced-plans.service.js';
import type { OidcSettings } from '../../config/oidc.settings.js';
import { ClockService } from '../../database/clock.service.js';
import { type GroupAccess, groupAccess } from './group-access.js';

/** Single sign-on; at each sign-in, role, plans and projects are synchronized with the groups. */
@Injectable()
export class OidcSignInService {
  private readonly logger = new Logger('SingleSignOn');

  constructor(
    private readonly client: OidcClientService,
    private readonly flows: OidcFlowsService,
    private readonly users: OidcUsersService,
    private readonly plans: SyncedPlansService,
    private readonly projects: ProjectsService,
    private readonly members: ProjectMembersService,
    private readonly sessions: SessionsService,
    private readonly clock: ClockService,
  ) {}

  /** Where to send a browser that wants to sign in. */
  async begin(browserToken: string, next: string, address: string | null): Promise<string> {
    const { provider } = this.client;
    return this.client.authorizationUrl(provider, await this.flows.begin(browserToken, next, address));
  }

  /** Handles the provider's redirect back: returns a session, and the path to show next. */
  async finish(
    answer: URLSearchParams,
    browserToken: string | null,
    origin: SignInOrigin,
  ): Promise<{ opened: OpenedSession; next: string }> {
    const { provider } = this.client;
    const state = answer.get('state');
    if (!state) throw new OidcRefusal('expired');
    const flow = await this.flows.take(state, browserToken);
    const identity = await this.client.identity(provider, answer, state, flow);
    const actor = actorFor(origin);
    const user = await this.userOf(provider, identity, actor).catch(async (error: unknown) => {
      if (error instanceof OidcRefusal) await this.users.recordRefusal(identity, error, actor);
      throw error;
    });
    return { opened: await this.sessions.open(user, 'oidc', origin), next: flow.next };
  }

  /**
   * Providers leave the groups claim out if there are too many groups: an absent claim removes nothing, and does not
   * let anyone in if a group is required.
   */
  private async userOf(provider: OidcSettings, identity: OidcIdentity, actor: Actor): Promise<UserWithEmail> {
    const { requireVerifiedEmail } = provider;
    if (identity.groups === null) {
      if (provider.memberGroups !== null) throw new OidcRefusal('claim_missing', [provider.groupsClaim]);
      return this.users.resolve(identity, { role: null, requireVerifiedEmail }, actor);
    }
    const access = groupAccess(identity.groups, provider);
    const rules = { role: access.role, requireVerifiedEmail };
    if (!access.isAllowed) {
      const known = await this.users.withdraw(identity, rules, actor);
      if (known) await this.sync(known, provider, access, actor);
      throw new OidcRefusal('not_in_group', [...(provider.memberGroups ?? []), ...provider.adminGroups]);
    }
    const user = await this.users.resolve(identity, rules, actor);
    await this.sync(user, provider, access, actor);
    return user;
  }

  private async sync(user: UserWithEmail, provider: OidcSettings, access: GroupAccess, actor: Actor): Promise<void> {
    await this.syncPlans(user, provider, access, actor);
    await this.syncProjects(user, access, actor);
  }

  private async syncProjects(user: UserWithEmail, { projects }: GroupAccess, actor: Actor): Promise<void> {
    const roles = new Map<string, ProjectRole>();
    const unknown: string[] = [];
    for (const [name, role] of projects) {
      const project = await this.projects.findByName(name);
      if (!project) unknown.push(name);
      else if (roles.get(project.id) !== 'manager') roles.set(project.id, role);
    }
    await this.members.syncGroups(user, roles, actor);
    if (unknown.length > 0) {
      this.logger.error(`signIn.oidc.projects names projects that do not exist: ${unknown.join(', ')}`);
    }
  }

  private async syncPlans(user: UserWithEmail, { planLifetime }: OidcSettings, access: GroupAccess, actor: Actor) {
    const until = planLifetime === null ? null : new Date(this.clock.now() + planLifetime);
    const unknown = await this.plans.set(user.id, 'oidc', new Map(access.plans.map((id) => [id, until])), actor);
    if (unknown.length > 0) this.logger.error(`signIn.oidc.plans names plans that do not exist: ${unknown.join(', ')}`);
  }
}

function actorFor({ address, requestId = null }: SignInOrigin): Actor {
  return { kind: 'gateway', id: null, name: 'single sign-on', address, requestId };
}
