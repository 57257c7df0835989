import { Injectable, Module } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DatabaseError } from 'pg';
import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { stringify } from 'yaml';
import { GRANTABLE_PERMISSIONS, type Permission } from '../accounts/permissions.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { BillingModule } from '../billing/billing.module.js';
import { UsageError } from '../common/usage.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ClockService } from '../database/clock.service.js';
import { LimitValuesService } from '../limits/values/limit-values.service.js';
import { type AppliedKey, type Change, type FieldValue, type Kind, lineOf } from './company.js';
import { toCompanyFile } from './company-export.js';
import { type Mistake, readCompanyFile } from './company-file.js';
import { planChanges } from './company-plan.js';
import { readCompanyState } from './company-state.js';
import { CompanyWriter } from './company-writer.js';

export interface ApplyOptions {
  readonly dryRun: boolean;
  /** Removes what an earlier apply made and the file does not name any more. */
  readonly prune: boolean;
}

export interface AppliedChange {
  readonly action: Change['action'];
  readonly kind: Kind;
  /** `crawler-prod of search/crawler` */
  readonly name: string;
  /** Null: the whole of it. */
  readonly field: string | null;
  readonly before: FieldValue;
  readonly after: FieldValue;
  /** In the file; empty for what is removed. */
  readonly path: readonly string[];
  /** For people. */
  readonly line: string;
}

export interface Applied {
  readonly dryRun: boolean;
  readonly changes: readonly AppliedChange[];
  /** New keys; their secrets are shown only here. */
  readonly keys: readonly AppliedKey[];
}

/** Every mistake of a file, with its place. */
export class CompanyFileError extends UsageError {
  constructor(readonly mistakes: readonly Mistake[]) {
    const ordered = mistakes.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
    const lines = ordered.map(
      ({ line, path, problem }) => `${line === null ? '' : `line ${line}: `}${path} ${problem}.`,
    );
    super(lines.map((line) => line.replace(/\.\.$/, '.')).join('\n'), ordered[0]?.path ?? null);
  }
}

/** What one must be allowed to do, for a change. */
const PERMISSIONS: Readonly<Record<Kind, Permission>> = {
  plan: 'plans.write',
  user: 'users.write',
  project: 'projects.write',
  member: 'projects.write',
  'service account': 'projects.write',
  key: 'keys.write',
};

const PARTS: ReadonlySet<Kind> = new Set(['plan', 'key']);

const RETRIED = ['40P01', '40001'];
const MAX_ATTEMPTS = 3;

/** The company as a file: plans, users, projects and keys, all or nothing. */
@Injectable()
export class ApplyService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly limits: LimitValuesService,
    private readonly clock: ClockService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /**
   * Makes the gateway what `text` (YAML or JSON) says, and leaves alone what it does not name; effective within a second.
   * `assertMay` throws for what the actor may not do. Throws a `CompanyFileError` with every mistake.
   */
  async apply(
    text: string,
    { dryRun, prune }: ApplyOptions,
    actor: Actor,
    assertMay: (permission: Permission) => void = () => undefined,
  ): Promise<Applied> {
    const file = readCompanyFile(text);
    const emails = file.entities.filter(({ kind }) => kind === 'user' || kind === 'member').map(({ name }) => name);
    const work = async (manager: EntityManager): Promise<Applied> => {
      const state = await readCompanyState(manager, this.limits, emails, !dryRun);
      const changes = planChanges(file, state, this.context(actor, prune));
      for (const permission of new Set(changes.flatMap(permissionsOf))) assertMay(permission);
      if (file.mistakes.length > 0) throw new CompanyFileError(file.mistakes);
      const services = { audit: this.audit, limits: this.limits };
      const writer = new CompanyWriter(manager, state, actor, services, this.keyExpiry());
      const keys = dryRun || changes.length === 0 ? [] : await writer.write(changes);
      return { dryRun, changes: changes.map(toAppliedChange), keys };
    };
    return dryRun ? work(this.dataSource.manager) : this.transaction(work);
  }

  /** The file that describes what is there; applying it changes nothing. */
  async export(): Promise<string> {
    const state = await readCompanyState(this.dataSource.manager, this.limits, null, false);
    return stringify(toCompanyFile(state), { lineWidth: 0, aliasDuplicateObjects: false });
  }

  /** Others who change the same rows at the same time in another order can make it wait in a circle. */
  private async transaction(work: (manager: EntityManager) => Promise<Applied>, attempt = 1): Promise<Applied> {
    try {
      return await this.dataSource.transaction(work);
    } catch (error) {
      const code = error instanceof QueryFailedError ? (error.driverError as DatabaseError).code : undefined;
      if (attempt >= MAX_ATTEMPTS || !RETRIED.includes(code ?? '')) throw error;
      return this.transaction(work, attempt + 1);
    }
  }

  private context({ id, kind }: Actor, prune: boolean) {
    const { models, keys, keyPolicy, contentLogKeys, guardSettings } = this.settings;
    return {
      models: new Set(models.flatMap((model) => [model.id, ...model.aliases])),
      tiers: new Set<string>(models.map(({ tier }) => tier)),
      guards: new Set(guardSettings.keys()),
      maxLifetime: keyPolicy.maxLifetime,
      keysPerUser: keys.perUser,
      logsContent: contentLogKeys.length > 0,
      actorId: kind === 'user' ? id : null,
      now: this.clock.date(),
      prune,
    };
  }

  private keyExpiry(): string | null {
    const { maxLifetime } = this.settings.keyPolicy;
    return maxLifetime === null ? null : new Date(this.clock.now() + maxLifetime).toISOString();
  }
}

function permissionsOf({ entity, field, after }: Change): readonly Permission[] {
  const role = field === null ? entity.fields.role : field === 'role' && after;
  if (entity.kind === 'user' && role === 'admin') return GRANTABLE_PERMISSIONS;
  const stated = Object.keys(entity.fields).filter((name) => entity.fields[name] !== undefined);
  const fields = field === null ? stated : [field];
  const others = fields.flatMap((name): Permission[] => {
    // Those of plans and keys are part of them, as in the API.
    if (name.startsWith('limits.')) return PARTS.has(entity.kind) ? [PERMISSIONS[entity.kind]] : ['limits.write'];
    if (name === 'guards') return ['guards.write'];
    return name === 'plan' ? ['plans.write'] : [];
  });
  return field === null || others.length === 0 ? [PERMISSIONS[entity.kind], ...others] : others;
}

function toAppliedChange(change: Change): AppliedChange {
  const { action, entity, field, before, after } = change;
  const name = entity.label.slice(entity.kind.length + 1);
  return { action, kind: entity.kind, name, field, before, after, path: entity.path.map(String), line: lineOf(change) };
}

@Module({ imports: [AuditModule, BillingModule], providers: [ApplyService], exports: [ApplyService] })
export class ApplyModule {}
