import type { Model } from '../../models/model.types.js';
import type { TargetHealth } from '../../upstreams/health/target-health.types.js';
import type { ModelActivity } from '../../usage/reports/model-activity.service.js';
import type { ModelHealthView, ModelStatus } from './dto/model-health.view.js';

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
