import { Injectable } from '@nestjs/common';
import { ProjectsService } from '../../accounts/projects.service.js';
import type { Session } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import type { ApiKey, RotationOverlap } from '../../auth/api-key.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { KeyListService, type KeySort, type ListedKey } from '../../auth/key-list.service.js';
import { PreviousSecretsService } from '../../auth/previous-secrets.service.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { ClockService } from '../../database/clock.service.js';
import { KeyLimitsService } from '../../limits/settings/limit-settings.service.js';
import { toLimitChange, toShownLimits, utcPeriodOf } from '../../limits/values/limit-values.js';
import { UsageTotalsService } from '../../usage/usage-totals.service.js';
import { LimitUseService } from '../limits/limits.controller.js';
import { ProjectAccessService } from '../projects/console-projects.service.js';
import type { SignedIn } from '../session/current-session.js';
import { listPage, toOrder } from '../shared/lists.js';
import { adminOnly, dayBefore } from '../shared/validation.js';
import { toProjectRef } from '../shared/views.js';
import {
  type CreatedKeyView,
  type KeyActivityView,
  type KeyCallsView,
  type KeyPageView,
  type KeyView,
  toKeyView,
} from './key.view.js';
import type { ChangeKeysDto, CreateKeyDto, KeysQuery, UpdateKeyDto } from './key-requests.dto.js';
import { KeyRightsService } from './key-rights.service.js';

/** API keys in the console, within the rights of the signed-in person. */
@Injectable()
export class ConsoleKeysService {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly lists: KeyListService,
    private readonly previous: PreviousSecretsService,
    private readonly rights: KeyRightsService,
    private readonly users: UsersService,
    private readonly projects: ProjectsService,
    private readonly access: ProjectAccessService,
    private readonly usage: UsageTotalsService,
    private readonly limits: KeyLimitsService,
    private readonly limitUse: LimitUseService,
    private readonly clock: ClockService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async list({ sort, cursor, limit, ...query }: KeysQuery, session: Session): Promise<KeyPageView> {
    const { ids = null, name = null, q: text, status } = query;
    const filter = { ...(await this.listed(query, session)), ids, name, status, text };
    const found = await this.lists.page(filter, toOrder<KeySort>(sort), cursor ?? null, limit + 1);
    const toViews = (listed: readonly ListedKey[]) => this.toViews(listed.map(({ key }) => key));
    return listPage({ cursor, limit, found, toViews, count: () => this.lists.count(filter) });
  }

  async get(id: string, session: Session): Promise<KeyView> {
    return this.toView(await this.keys.get(await this.rights.refOf(id, session, 'keys.read')));
  }

  /** The owner or project whose keys a list contains. */
  private async listed({ scope, userId, project }: Pick<KeysQuery, 'scope' | 'userId' | 'project'>, session: Session) {
    if (project !== undefined) {
      await this.access.assertMay(project, session, 'keys.read');
      return { ownerId: null, projectId: project, memberId: null };
    }
    if (scope === 'projects') return { ownerId: null, projectId: null, memberId: session.user.id };
    if (scope === 'all' && !session.rights.mayAll('keys.read')) throw adminOnly();
    return { ownerId: scope === 'all' ? (userId ?? null) : session.user.id, projectId: null, memberId: null };
  }

  async create(body: CreateKeyDto, session: SignedIn): Promise<CreatedKeyView> {
    const { userId, projectId, serviceAccountId, expiresAt, limits = {}, ...fields } = body;
    const { owner, byManager } = await this.rights.ownerOf({ userId, projectId, serviceAccountId }, session);
    await this.rights.assertModels(body.models, owner.id);
    const expiry = expiresAt === undefined ? this.defaultExpiry() : toDate(expiresAt);
    const input = { ...fields, userId: owner.id, byManager, expiresAt: expiry, limits: toLimitChange(limits) };
    const { key, ...created } = await this.keys.create(input, session.actor);
    return { ...(await this.toView(created)), key };
  }

  async update(id: string, body: UpdateKeyDto, session: SignedIn): Promise<KeyView> {
    const { expiresAt, limits = {}, ...changes } = body;
    const ref = await this.rights.refOf(id, session, 'keys.write');
    const { userId } = await this.keys.get(ref);
    await this.rights.assertModels(body.models, userId);
    const expiry = expiresAt === undefined ? {} : { expiresAt: toDate(expiresAt) };
    const change = { ...changes, ...expiry, limits: toLimitChange(limits) };
    return this.toView(await this.keys.update(ref, change, session.actor));
  }

  async rotate(id: string, overlap: RotationOverlap, session: SignedIn): Promise<CreatedKeyView> {
    const ref = await this.rights.refOf(id, session, 'keys.write');
    const { key, ...rotated } = await this.keys.rotate(ref, overlap, session.actor);
    return { ...(await this.toView(rotated)), key };
  }

  /** Ends the overlap of a rotation now. */
  async endPrevious(id: string, session: SignedIn): Promise<KeyView> {
    const ref = await this.rights.refOf(id, session, 'keys.write');
    await this.previous.end(await this.keys.get(ref), session.actor);
    return this.toView(await this.keys.get(ref));
  }

  async revoke(id: string, session: SignedIn): Promise<KeyView> {
    return this.toView(await this.keys.revoke(await this.rights.refOf(id, session, 'keys.write'), session.actor));
  }

  /** Changes all of the keys or none. */
  async changeAll({ ids, change }: ChangeKeysDto, session: SignedIn): Promise<KeyView[]> {
    const refs = await this.rights.refsOf([...new Set(ids)], session, 'keys.write');
    const changed = await this.keys.changeAll(refs, change, session.actor);
    return this.toViews(changed);
  }

  /** The calls of each key; keys that the person cannot see are left out. */
  async activities(ids: readonly string[], session: Session): Promise<KeyCallsView[]> {
    const known = await this.rights.visibleAmong(ids, session);
    const used = await this.usage.byKey(known, dayBefore(this.clock));
    return known.map((id) => ({ id, callsLast24h: used.get(id)?.calls ?? 0 }));
  }

  async activity(id: string, session: Session): Promise<KeyActivityView> {
    const key = await this.keys.get(await this.rights.refOf(id, session, 'keys.read'));
    const callsLast24h = await this.usage.callsOfKey(key.id, dayBefore(this.clock));
    return { lastUsed: key.lastUsed, callsLast24h };
  }

  private async toView(key: ApiKey): Promise<KeyView> {
    const [view] = await this.toViews([key]);
    if (!view) throw new Error(`the key ${key.id} has no owner`);
    return view;
  }

  private async toViews(keys: readonly ApiKey[]): Promise<KeyView[]> {
    const ids = keys.map(({ id }) => id);
    const [owners, spent, limits] = await Promise.all([
      this.users.byId(keys.map(({ userId }) => userId)),
      this.usage.byKey(ids, utcPeriodOf('month', this.clock.date()).from),
      this.limits.of(ids),
    ]);
    const projects = await this.projects.byId([...owners.values()].flatMap(({ projectId }) => projectId ?? []));
    const shown = new Map([...limits].map(([id, { values }]) => [id, toShownLimits(values)]));
    const useOf = await this.limitUse.of('key', shown);
    return keys.flatMap((key) => {
      const owner = owners.get(key.userId);
      if (!owner) return [];
      const project = toProjectRef(projects.get(owner.projectId ?? ''));
      const facts = { spent: spent.get(key.id), limits: limits.get(key.id), use: useOf(key.id), project };
      return [toKeyView(key, owner, facts)];
    });
  }

  private defaultExpiry(): Date {
    const { defaultLifetime, maxLifetime } = this.settings.keyPolicy;
    return new Date(this.clock.now() + Math.min(defaultLifetime, maxLifetime ?? defaultLifetime));
  }
}

function toDate(instant: string | null): Date | null {
  return instant === null ? null : new Date(instant);
}
