import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type OidcIdentity, OidcRefusal } from '../../accounts/oidc.types.js';
import { OidcClientService } from '../../accounts/oidc-client.service.js';
import { OidcFlowsService } from '../../accounts/oidc-flows.service.js';
import { OidcUsersService } from '../../accounts/oidc-users.service.js';
import { SessionsService } from '../../accounts/sessions.service.js';
import type { OpenedSession, SignInOrigin, UserWithEmail } from '../../accounts/user.types.js';
import type { Actor } from '../../audit/audit.types.js';
import type { OidcSettings } from '../../config/gateway.settings.js';
import { type GroupAccess, GroupAccessService, groupAccess } from '../../scim/group-access.service.js';

/** Single sign-on; at each sign-in, role, plans and projects are synchronized with the groups. */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly client: OidcClientService,
    private readonly flows: OidcFlowsService,
    private readonly users: OidcUsersService,
    private readonly groups: GroupAccessService,
    private readonly sessions: SessionsService,
    @InjectDataSource() private readonly dataSource: DataSource,
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
    await this.dataSource.transaction((manager) =>
      this.groups.apply(manager, user, access, provider.planLifetime, actor),
    );
  }
}

function actorFor({ address, requestId = null }: SignInOrigin): Actor {
  return { kind: 'gateway', id: null, name: 'single sign-on', address, requestId };
}
