import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ClockService } from '../../database/clock.service.js';
import { CatalogService } from '../../models/catalog.service.js';
import type { Model } from '../../models/model.types.js';
import type { TargetHealth } from '../../upstreams/target-health.service.js';
import { TargetHealthService } from '../../upstreams/target-health.service.js';
import { type ModelActivity, ModelActivityService } from '../../usage/model-activity.service.js';
import { dayBefore } from '../shared/validation.js';
import { Integer } from '../shared/views.js';

export interface ModelStanding {
  readonly health: ModelHealthView;
  /** Among all models: 0 is suggested first. */
  readonly suggestionRank: number;
}

/** How the models of the catalog have answered recently, and which of them to suggest. */
@Injectable()
export class ModelHealthService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly activity: ModelActivityService,
    private readonly targets: TargetHealthService,
    private readonly clock: ClockService,
  ) {}

  /** By the model's id; all models of the catalog. */
  async all(): Promise<ReadonlyMap<string, ModelStanding>> {
    const activity = await this.activity.since(dayBefore(this.clock));
    const aside = this.targets.list();
    const models = this.catalog.all();
    const healths = new Map(models.map((model) => [model.id, modelHealth(model, activity.get(model.id), aside)]));
    const ranks = suggestionRanks(models, (id) => healths.get(id)?.status ?? 'unused');
    return new Map([...healths].map(([id, health]) => [id, { health, suggestionRank: ranks.get(id) ?? 0 }]));
  }
}

const NO_CALLS: ModelActivity = { calls: 0, failures: 0 };

/** The lowest shares of failed calls with these statuses. */
const FAILING = 0.5;
const DEGRADED = 0.1;

export function modelHealth(
  { simulated, targets }: Pick<Model, 'simulated' | 'targets'>,
  { calls, failures }: ModelActivity = NO_CALLS,
  healths: readonly TargetHealth[],
): ModelHealthView {
  const aside = targets.filter(({ upstream, keyName, upstreamModel }) =>
    healths.some(
      (one) =>
        one.upstream === upstream.name && one.key === keyName && one.model === upstreamModel && one.asideForMs !== null,
    ),
  );
  const counts = { calls, failures, targets: targets.length, asideTargets: aside.length };
  return { status: simulated ? 'simulated' : statusOf(counts), ...counts };
}

function statusOf({ calls, failures, targets, asideTargets }: Omit<ModelHealthView, 'status'>): ModelStatus {
  if (targets > 0 && asideTargets === targets) return 'failing';
  if (calls > 0 && failures >= calls * FAILING) return 'failing';
  if (asideTargets > 0 || (calls > 0 && failures >= calls * DEGRADED)) return 'degraded';
  return calls === 0 ? 'unused' : 'healthy';
}

interface Priced {
  readonly id: string;
  readonly usdPerMTok: { readonly input: number; readonly output: number };
}

/** Models that reliably answer come first; the simulator comes before models that fail. */
const ORDER: readonly ModelStatus[] = ['healthy', 'unused', 'degraded', 'simulated', 'failing'];

/** Which model to suggest first, as 0, 1, 2, …: by status, then the cheaper one. */
export function suggestionRanks(
  models: readonly Priced[],
  statusOf: (id: string) => ModelStatus,
): ReadonlyMap<string, number> {
  const place = ({ id }: Priced) => ORDER.indexOf(statusOf(id));
  const ordered = models.toSorted((a, b) => place(a) - place(b) || priceOf(a) - priceOf(b));
  return new Map(ordered.map(({ id }, rank) => [id, rank]));
}

/** The price of a million input tokens and a million output tokens. */
function priceOf({ usdPerMTok: { input, output } }: Priced): number {
  return input + output;
}

const STATUSES = ['healthy', 'degraded', 'failing', 'unused', 'simulated'] as const;

type ModelStatus = (typeof STATUSES)[number];

export class ModelHealthView {
  @ApiProperty({
    enum: STATUSES,
    description:
      'By its newest calls of the last 24 hours: `failing` if at least half of them failed, or if all its targets are set aside; `degraded` if at least a tenth failed; `unused` if there are none.',
  })
  status!: ModelStatus;

  @Integer('The newest calls of the last 24 hours, 20 at most.')
  calls!: number;

  @Integer('How many of them failed for reasons other than the request.')
  failures!: number;

  @Integer('Its targets that have a credential; with several keys, one for each.')
  targets!: number;

  @Integer('How many of them the responding process has set aside.')
  asideTargets!: number;
}
