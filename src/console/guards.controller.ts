import { Body, Get, HttpCode, Injectable, Param, Post, Put } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsString, MaxLength } from 'class-validator';
import type { Session } from '../accounts/user.types.js';
import {
  GUARD_SUBJECTS,
  type GuardAssignment,
  GuardAssignmentsService,
  type GuardSubject,
} from '../auth/guard-assignments.service.js';
import { PlansService } from '../billing/plans.service.js';
import { NotFoundError } from '../common/usage.error.js';
import type { GuardSettings } from '../config/guard.settings.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { guardUnavailable } from '../guards/call-guards.js';
import { GuardsService } from '../guards/guards.service.js';
import { CatalogService } from '../models/catalog.service.js';
import type { Model } from '../models/model.types.js';
import { GuardReportService } from '../usage/guard-hits.service.js';
import type { KeyGuardView } from './keys/key.view.js';
import { ProjectAccessService } from './projects/console-projects.service.js';
import { ConsoleController, Returns } from './session/console.guard.js';
import { CurrentSession, type SignedIn } from './session/current-session.js';
import { Access } from './session/route-access.js';
import { adminOnly } from './shared/validation.js';
import { Integer, IntegerOrNull, TextOrNull } from './shared/views.js';
import { GuardHitView } from './usage/usage-call.view.js';

const MAX_TEXT = 20_000;

export class GuardAssignmentView {
  @ApiProperty({ enum: GUARD_SUBJECTS })
  kind!: GuardSubject;

  @ApiProperty()
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({
    type: [String],
    description: 'The names of guards, including those that are no longer in gateway.yaml.',
  })
  guards!: readonly string[];
}

export class InheritedGuardView {
  @ApiProperty()
  guard!: string;

  @ApiProperty({ enum: ['all', 'plan', 'project'], description: '`all`: it applies to every call.' })
  from!: 'all' | 'plan' | 'project';

  @TextOrNull('The name of the plan or the project.')
  name!: string | null;
}

export class GuardsOfSubjectView extends GuardAssignmentView {
  @ApiProperty({ type: [InheritedGuardView], description: 'Guards that apply besides, until they are removed there.' })
  inherited!: readonly InheritedGuardView[];

  @ApiProperty({ type: [String], description: 'The guards of gateway.yaml.' })
  available!: readonly string[];

  @ApiProperty({ description: 'Whether you can remove guards; managers of a project can only add them.' })
  mayRemove!: boolean;
}

export class GuardView {
  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: ['block', 'mask', 'report'] })
  do!: string;

  @ApiProperty({ type: [String], description: '`request`, `answer` or both.' })
  on!: readonly string[];

  @ApiProperty({ type: [String], description: 'What it detects: built-in kinds, and its own patterns and word lists.' })
  detects!: readonly string[];

  @TextOrNull('`webhook`, `presidio` or `moderation`; null: it detects itself.')
  service!: string | null;

  @TextOrNull('The URL of the service, without its query; for `moderation` the upstream and its model.')
  serviceAddress!: string | null;

  @IntegerOrNull('The line of its definition in gateway.yaml.')
  line!: number | null;

  @ApiProperty({ description: 'Whether it applies to every call.' })
  forAll!: boolean;

  @ApiProperty({ type: [String], description: 'The models whose calls it applies to.' })
  models!: readonly string[];
}

export class GuardsView {
  @ApiProperty({ type: [GuardView] })
  guards!: readonly GuardView[];

  @ApiProperty({ type: [GuardAssignmentView], description: 'The plans, projects and keys that add guards.' })
  assignments!: readonly GuardAssignmentView[];

  @ApiProperty({ type: [GuardHitView], description: 'What guards found in the last 30 days.' })
  hits!: readonly GuardHitView[];
}

export class TriedTextDto {
  @ApiProperty({ maxLength: MAX_TEXT })
  @IsString()
  @MaxLength(MAX_TEXT)
  text!: string;
}

export class GuardFindingView {
  @Integer('Its first character in the text.')
  start!: number;

  @Integer('The character after its last one.')
  end!: number;

  @ApiProperty({ example: 'a payment card number' })
  kind!: string;

  @ApiProperty({ enum: ['block', 'mask', 'report'] })
  action!: string;
}

export class TriedTextView {
  @ApiProperty({ type: [GuardFindingView] })
  findings!: readonly GuardFindingView[];
}

export class GuardNamesDto {
  @ApiProperty({ type: [String], description: 'Names of guards in gateway.yaml.' })
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  guards!: string[];
}

class SubjectParams {
  @ApiProperty({ enum: GUARD_SUBJECTS })
  @IsIn(GUARD_SUBJECTS)
  kind!: GuardSubject;

  @ApiProperty()
  @IsString()
  @MaxLength(100)
  id!: string;
}

/** Guards in the console: their definitions, where they apply, and what they found. */
@Injectable()
export class ConsoleGuardsService {
  constructor(
    @InjectSettings() private readonly settings: Settings,
    private readonly guards: GuardsService,
    private readonly assignments: GuardAssignmentsService,
    private readonly hits: GuardReportService,
    private readonly catalog: CatalogService,
    private readonly access: ProjectAccessService,
    private readonly plans: PlansService,
  ) {}

  async list(): Promise<GuardsView> {
    const { guardSettings } = this.settings;
    const [assignments, hits] = await Promise.all([this.assignments.all(), this.hits.recent()]);
    const shown = assignments.map(({ kind, id, name, guards }) => ({ kind, id, name, guards }));
    return { guards: [...guardSettings.values()].map((guard) => this.toView(guard)), assignments: shown, hits };
  }

  /** The guards of a key's calls, with what adds each of them. */
  async ofKey(id: string): Promise<KeyGuardView[]> {
    const key = await this.assignments.get('key', id);
    const [inherited, models] = await Promise.all([this.assignments.inherited(key), this.guardedModels(key)]);
    return [
      ...inherited,
      ...key.guards.map((guard) => ({ guard, from: 'key', name: key.name }) as const),
      ...models.flatMap((model) => model.guards.map((guard) => ({ guard, from: 'model', name: model.id }) as const)),
    ];
  }

  /** Models with guards of their own that the plan of the key's owner includes. */
  private async guardedModels({ ownerId }: GuardAssignment): Promise<Model[]> {
    const guarded = this.catalog.all().filter(({ guards }) => guards.length > 0);
    if (guarded.length === 0 || ownerId === null) return [];
    const granted = (await this.plans.currentOf([ownerId])).get(ownerId);
    if (!granted) return [];
    const { id, tiers, models } = granted.plan;
    const plan = { id, tiers: new Set(tiers), models: new Set(models) };
    return guarded.filter((model) => this.catalog.obstacleTo(plan, model) === null);
  }

  /** Nothing of the text is stored. */
  async tried(name: string, text: string, { user }: Session): Promise<TriedTextView> {
    const guard = this.guards.named(name);
    if (!guard) throw new NotFoundError('gateway.yaml has no guard with this name.');
    const call = { id: 'try', api: 'console', model: '', userId: user.id, project: null, keyId: '' };
    const check = async () => guard.check([text], { ...call, side: 'request', paths: ['text'] });
    const [findings = []] = await check().catch((error: unknown) => {
      throw guardUnavailable(guard, error);
    });
    const action = (own: string | undefined) => own ?? guard.action;
    return {
      findings: findings.map(({ start, end, kind, action: own }) => ({ start, end, kind, action: action(own) })),
    };
  }

  async get({ kind, id }: SubjectParams, session: Session): Promise<GuardsOfSubjectView> {
    const assignment = await this.assignments.get(kind, id);
    await this.assertMay(assignment, session, 'guards.read');
    return this.toSubjectView(assignment, session);
  }

  async set({ kind, id }: SubjectParams, guards: readonly string[], session: SignedIn): Promise<GuardsOfSubjectView> {
    await this.assertMay(await this.assignments.get(kind, id), session, 'guards.write');
    const mayRemove = session.rights.mayAll('guards.write');
    const set = await this.assignments.set(kind, id, { guards, mayRemove }, session.actor);
    return this.toSubjectView(set, session);
  }

  private async toSubjectView(assignment: GuardAssignment, session: Session): Promise<GuardsOfSubjectView> {
    const { kind, id, name, guards } = assignment;
    const inherited = await this.assignments.inherited(assignment);
    const available = [...this.settings.guardSettings.keys()];
    return { kind, id, name, guards, inherited, available, mayRemove: session.rights.mayAll('guards.write') };
  }

  private async assertMay(
    { kind, projectId, ownerId }: GuardAssignment,
    session: Session,
    permission: 'guards.read' | 'guards.write',
  ): Promise<void> {
    if (session.rights.mayAll(permission)) return;
    if (projectId === null && kind === 'key' && ownerId !== session.user.id)
      throw new NotFoundError('The key does not exist.');
    if (projectId === null) throw adminOnly();
    await this.access.assertMay(projectId, session, permission);
  }

  private toView(guard: GuardSettings): GuardView {
    const { name, do: action, on, detect, patterns, words, webhook, presidio, moderation, line } = guard;
    const services = { webhook, presidio, moderation };
    const url = webhook?.url ?? presidio?.url;
    const address = url === undefined ? null : new URL(url);
    return {
      name,
      do: action,
      on,
      detects: [...detect, ...Object.keys(patterns), ...Object.keys(words)],
      service: Object.entries(services).find(([, service]) => service !== undefined)?.[0] ?? null,
      serviceAddress: address
        ? `${address.origin}${address.pathname}`
        : moderation
          ? `${moderation.upstream} · ${moderation.model}`
          : null,
      line,
      forAll: this.settings.guardsForAll.includes(name),
      models: this.catalog.all().flatMap(({ id, guards }) => (guards.includes(name) ? [id] : [])),
    };
  }
}

@ConsoleController('guards', 'Guards', ['guards.read', 'all'])
export class GuardsController {
  constructor(private readonly guards: ConsoleGuardsService) {}

  @Get()
  @Returns(GuardsView, 'The guards of gateway.yaml, where they apply, and what they found in the last 30 days')
  list(): Promise<GuardsView> {
    return this.guards.list();
  }

  @Post(':name/try')
  @HttpCode(200)
  @Returns(TriedTextView, 'What a guard finds in a text; the text is not stored')
  try(@Param('name') name: string, @Body() { text }: TriedTextDto, @CurrentSession() session: Session) {
    return this.guards.tried(name, text, session);
  }

  @Get(':kind/:id')
  @Access(['guards.read', 'project'])
  @Returns(GuardsOfSubjectView, 'The guards that a plan, a project or a key adds')
  get(@Param() params: SubjectParams, @CurrentSession() session: Session): Promise<GuardsOfSubjectView> {
    return this.guards.get(params, session);
  }

  @Put(':kind/:id')
  @Access(['guards.write', 'project'])
  @Returns(GuardsOfSubjectView, 'Set the guards of a plan, a project or a key', {
    description: 'Managers of a project can add guards to it and its keys; only administrators remove them.',
  })
  set(
    @Param() params: SubjectParams,
    @Body() { guards }: GuardNamesDto,
    @CurrentSession() session: SignedIn,
  ): Promise<GuardsOfSubjectView> {
    return this.guards.set(params, guards, session);
  }
}
