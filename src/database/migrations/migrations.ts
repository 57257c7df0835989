import { Baseline1796940000000 } from './1796940000000-baseline.js';
import { LimitTypes1797200000000 } from './1797200000000-limit-types.js';
import { AppliedObjects1797300000000 } from './1797300000000-applied-objects.js';
import { Scim1797400000000 } from './1797400000000-scim.js';
import { Identities1797500000000 } from './1797500000000-identities.js';
import { Guards1797600000000 } from './1797600000000-guards.js';
import { AnswerCache1797700000000 } from './1797700000000-answer-cache.js';
import { SimulatedSums1797800000000 } from './1797800000000-simulated-sums.js';
import { CallClients1798130000000 } from './1798130000000-call-clients.js';
import type { Migration } from './migration.js';

/** Every migration, oldest first. */
export const MIGRATIONS: readonly (new () => Migration)[] = [
  Baseline1796940000000,
  LimitTypes1797200000000,
  AppliedObjects1797300000000,
  Scim1797400000000,
  Identities1797500000000,
  Guards1797600000000,
  AnswerCache1797700000000,
  SimulatedSums1797800000000,
  CallClients1798130000000,
];

/** As in the table `migrations`. */
export function namesOf(migrations: readonly (new () => Migration)[]): string[] {
  return migrations.map((Each) => new Each().name);
}
