import { Injectable } from '@nestjs/common';
import type { Permission } from '../../accounts/permissions.js';
import { ProjectMembersService } from '../../accounts/project-members.service.js';
import type { Session, User } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import type { AccessToken } from '../../auth/access-tokens.service.js';
import { AccessTokensService } from '../../auth/access-tokens.service.js';
import { GatewayError, invalidRequest } from '../../common/gateway.error.js';
import { NotFoundError } from '../../common/usage.error.js';
import { ClockService } from '../../database/clock.service.js';
import type { SignedIn } from '../session/current-session.js';
import { listPage } from '../shared/lists.js';
import { adminOnly, insufficientPermissions } from '../shared/validation.js';
import {
  type CreatedTokenView,
  type CreateTokenDto,
  type TokenPageView,
  type TokensQuery,
  type TokenView,
  toTokenView,
  type UpdateTokenDto,
} from './token.view.js';

const RECENT_SIGN_IN_MS = 15 * 60_000;

/** Access tokens within the rights of who asks: own ones, those of service accounts of managed projects, or all. */
@Injectable()
export class ConsoleTokensService {
  constructor(
    private readonly tokens: AccessTokensService,
    private readonly users: UsersService,
    private readonly members: ProjectMembersService,
    private readonly clock: ClockService,
  ) {}

  async list(
    { q, name, scope, serviceAccountId, cursor, limit }: TokensQuery,
    session: Session,
  ): Promise<TokenPageView> {
    const filter = { userId: await this.listed(scope, serviceAccountId, session), name, text: q };
    const found = await this.tokens.page(filter, cursor ?? null, limit + 1);
    const toViews = (some: readonly { token: AccessToken }[]) => this.toViews(some.map(({ token }) => token));
    return listPage({ cursor, limit, found, toViews, count: () => this.tokens.count(filter) });
  }

  async get(id: string, session: Session): Promise<TokenView> {
    return this.toView(await this.visible(id, session));
  }

  async create(body: CreateTokenDto, session: SignedIn): Promise<CreatedTokenView> {
    const { serviceAccountId, expiresAt, ...fields } = body;
    if (session.token === null) this.assertRecent(session);
    const owner = serviceAccountId === undefined ? session.user : await this.serviceAccount(serviceAccountId, session);
    assertWithin(body.scopes, owner, session);
    if (expiresAt === null) throw invalidRequest('invalid_value', 'expiresAt', 'An access token must expire.');
    const input = { ...fields, userId: owner.id, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) };
    const { token, ...created } = await this.tokens.create(input, session.actor, session.token ?? undefined);
    return { ...(await this.toView(created)), token };
  }

  async update(id: string, body: UpdateTokenDto, session: SignedIn): Promise<TokenView> {
    const { userId, scopes } = await this.visible(id, session);
    const owner = await this.users.get(userId);
    assertWithin(scopes, owner, session);
    return this.toView(await this.tokens.update(id, body, session.actor, session.token ?? undefined));
  }

  async revoke(id: string, session: SignedIn): Promise<TokenView> {
    await this.visible(id, session);
    return this.toView(await this.tokens.revoke(id, session.actor));
  }

  private async listed(scope: 'mine' | 'all', serviceAccountId: string | undefined, session: Session) {
    if (serviceAccountId !== undefined) return (await this.serviceAccount(serviceAccountId, session)).id;
    if (scope === 'mine') return session.user.id;
    if (!session.rights.mayAll('tokens.write')) throw adminOnly();
    return null;
  }

  private async visible(id: string, session: Session): Promise<AccessToken> {
    const token = await this.tokens.get(id);
    const isOwn = token.userId === session.user.id;
    if (isOwn || (await this.mayManage(await this.users.findOwner(token.userId), session))) return token;
    throw new NotFoundError('There is no access token with this id.');
  }

  private async serviceAccount(id: string, session: Session): Promise<User> {
    const user = await this.users.find(id);
    if (user?.kind === 'service' && (await this.mayManage(user, session))) return user;
    throw new NotFoundError('There is no service account with this id.');
  }

  private async mayManage(owner: User | null, { user, rights }: Session): Promise<boolean> {
    if (rights.mayAll('tokens.write')) return true;
    if (!owner || owner.projectId === null) return false;
    return rights.mayIn(await this.members.roleIn(owner.projectId, user.id), 'tokens.write');
  }

  private assertRecent({ createdAt }: Session): void {
    if (this.clock.now() - createdAt.getTime() <= RECENT_SIGN_IN_MS) return;
    const message = 'You signed in more than 15 minutes ago. Sign in again to create an access token.';
    const body = { message, type: 'permission_error', param: null, code: 'recent_sign_in_required' };
    throw new GatewayError(403, body);
  }

  private async toView(token: AccessToken): Promise<TokenView> {
    const [view] = await this.toViews([token]);
    if (!view) throw new Error(`the access token ${token.id} has no owner`);
    return view;
  }

  private async toViews(tokens: readonly AccessToken[]): Promise<TokenView[]> {
    const owners = await this.users.byId(tokens.map(({ userId }) => userId));
    return tokens.flatMap((token) => {
      const owner = owners.get(token.userId);
      return owner ? [toTokenView(token, owner, this.clock.date())] : [];
    });
  }
}

/** Who creates or changes a token has each of its scopes, for another owner with the widest reach. */
function assertWithin(scopes: readonly Permission[], owner: User, { user, rights }: Session): void {
  // A person's own role may change, and their token follows it; only a token's scopes are fixed.
  const missing = scopes.find((scope) => !(owner.id === user.id ? rights.hasScope(scope) : rights.mayAll(scope)));
  if (missing !== undefined) throw insufficientPermissions(missing);
}
