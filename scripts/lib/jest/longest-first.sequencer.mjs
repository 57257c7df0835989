import Sequencer from '@jest/test-sequencer';
import { projectPath } from '../project.mjs';

/** Files that take 10 s or more. Those that mostly wait for timers alternate with those that use a core fully. */
const LONGEST = [
  // The suite of `npm test`.
  ...['test/silent-database.e2e-spec.ts', 'test/guards-positions.e2e-spec.ts'],
  ...['src/ledger/journal/journal.outage.spec.ts', 'src/ledger/instance.service.spec.ts'],
  ...['test/database-outage.e2e-spec.ts', 'test/budget-alerts.e2e-spec.ts'],
  ...['test/outage-serving.e2e-spec.ts', 'src/usage/rollups/usage-rollups.service.spec.ts'],
  ...['test/console-roles.e2e-spec.ts', 'src/ledger/slow-callers.spec.ts'],
  ...['test/rotated-secrets.e2e-spec.ts', 'test/content-log.e2e-spec.ts'],
  ...['test/model-quirks.e2e-spec.ts', 'test/identities.e2e-spec.ts'],
  ...['test/console-answer-size.e2e-spec.ts', 'src/database/database.service.spec.ts'],
  ...['test/oidc-providers.e2e-spec.ts', 'test/console-unauthorized.e2e-spec.ts'],
  ...['src/ledger/usage-ledger.outage.spec.ts', 'test/health.e2e-spec.ts'],
  ...['src/json/json-in-turns.spec.ts', 'test/projects.e2e-spec.ts'],
  ...['test/chat-leaving.e2e-spec.ts', 'src/backup/backup.service.spec.ts'],
  ...['test/shared-capacity.e2e-spec.ts', 'test/ledger-settling.e2e-spec.ts'],
  ...['test/plans.e2e-spec.ts', 'test/set-aside.e2e-spec.ts'],
  ...['src/usage/refusals.service.spec.ts', 'test/chat-retries.e2e-spec.ts'],
  ...['src/database/embedded/embedded-postgres.spec.ts', 'test/shared-set-asides.e2e-spec.ts'],
  ...['test/console-alerts.e2e-spec.ts', 'src/database/embedded/embedded-postgres.crash.spec.ts'],
  ...['test/console-limits.e2e-spec.ts', 'test/overload.e2e-spec.ts'],
  ...['test/left-calls.e2e-spec.ts', 'test/guards-effects.e2e-spec.ts'],
  ...['test/automation.e2e-spec.ts', 'test/large-bodies.e2e-spec.ts'],
  ...['test/chat-clocks.e2e-spec.ts', 'test/cloud-credentials.e2e-spec.ts'],
  ...['src/guards/turns.spec.ts', 'test/refusal-reasons.e2e-spec.ts'],
  ...['src/database/migrations/upgrade-under-load.spec.ts', 'src/usage/balance-bases.service.spec.ts'],
  ...['src/auth/key-list.service.spec.ts', 'test/pipelining.e2e-spec.ts'],
  ...['src/database/migration-runner.spec.ts', 'test/prometheus.e2e-spec.ts'],
  ...['test/failover.e2e-spec.ts', 'src/ledger/batches/batch-writer.spec.ts'],
  ...['src/ledger/ledger-verification.service.spec.ts', 'test/unusable-answers.e2e-spec.ts'],
  ...['test/idempotency.e2e-spec.ts', 'src/ledger/usage-ledger.service.spec.ts'],
  ...['test/pgbouncer.e2e-spec.ts'],
  // The suite of `npm run test:system`.
  ...['test/system/hostile-clients.system-spec.ts', 'test/system/workers.system-spec.ts'],
  ...['test/system/backup.system-spec.ts', 'test/system/journal.system-spec.ts'],
  ...['test/system/cli.system-spec.ts', 'test/system/stop.system-spec.ts'],
  ...['test/system/start.system-spec.ts', 'test/system/kill.system-spec.ts'],
  ...['test/system/several-gateways.system-spec.ts', 'test/system/fuzz.system-spec.ts'],
].map((path) => projectPath(path));

/**
 * Starts the longest files first, even if their durations are not known from an earlier run. Otherwise one file would
 * run alone in the last minute of the suite, and the other workers would be idle. Waiting files at the same time would
 * leave cores idle.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => place(one) - place(other));
  }
}

function place({ path }) {
  const found = LONGEST.indexOf(path);
  return found === -1 ? LONGEST.length : found;
}
