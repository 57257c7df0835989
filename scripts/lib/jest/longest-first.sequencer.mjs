import Sequencer from '@jest/test-sequencer';
import { projectPath } from '../project.mjs';

/** They wait for clocks or start processes and servers, 15 s and more each. */
const LONGEST = [
  'test/hostile-clients.e2e-spec.ts',
  'test/cli.e2e-spec.ts',
  'test/workers.e2e-spec.ts',
  'test/kill.e2e-spec.ts',
  'test/replicas.e2e-spec.ts',
  'test/plans.e2e-spec.ts',
  'src/database/embedded/embedded-postgres.spec.ts',
  'src/backup/backup.service.spec.ts',
  'src/database/embedded/embedded-postgres.crash.spec.ts',
  'test/backup.e2e-spec.ts',
  'test/health.e2e-spec.ts',
  'src/usage/ledger/usage-ledger.outage.spec.ts',
  'test/large-bodies.e2e-spec.ts',
  'test/lock.e2e-spec.ts',
  'test/start.e2e-spec.ts',
  'test/fuzz.e2e-spec.ts',
  'test/stop.e2e-spec.ts',
  'test/limits-cli.e2e-spec.ts',
  'test/database-outage.e2e-spec.ts',
].map((path) => projectPath(path));

/**
 * The longest files begin first, also where no earlier run tells how long each takes: else the last minute of the suite
 * is one file, and the other workers have nothing to do.
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
