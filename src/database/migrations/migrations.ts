import { Foundation1795219200000 } from './1795219200000-foundation.js';
import { Console1795305600000 } from './1795305600000-console.js';
import { UsageRollups1795309200000 } from './1795309200000-usage-rollups.js';
import { Setup1795312800000 } from './1795312800000-setup.js';
import { CarefulLedger1795401800000 } from './1795401800000-careful-ledger.js';
import { SetupOnce1795402400000 } from './1795402400000-setup-once.js';
import { KeyBounds1795402460000 } from './1795402460000-key-bounds.js';
import { AuditChain1795402520000 } from './1795402520000-audit-chain.js';
import { SchemaWriter1795403000000 } from './1795403000000-schema-writer.js';
import { RecentErrorsOfKeys1795403300000 } from './1795403300000-recent-errors-of-keys.js';
import { RefusedRequests1795405400000 } from './1795405400000-refused-requests.js';
import { KeysOfTheirTime1795406000000 } from './1795406000000-keys-of-their-time.js';
import { LeanLedger1795610000000 } from './1795610000000-lean-ledger.js';
import { LimitBalances1795611000000 } from './1795611000000-limit-balances.js';
import { LimitValues1795620000000 } from './1795620000000-limit-values.js';
import { Alerts1795621000000 } from './1795621000000-alerts.js';
import { ServedModel1795630000000 } from './1795630000000-served-model.js';
import { Idempotency1795640000000 } from './1795640000000-idempotency.js';
import { Payments1795645000000 } from './1795645000000-payments.js';
import { RefusedKeysOfTheirTime1795650000000 } from './1795650000000-refused-keys-of-their-time.js';
import { AlertsOfTheirTime1795662000000 } from './1795662000000-alerts-of-their-time.js';
import { LedgerRowTypes1795670000000 } from './1795670000000-ledger-row-types.js';
import { Refunds1795700000000 } from './1795700000000-refunds.js';
import { ChargedInFull1795801000000 } from './1795801000000-charged-in-full.js';
import { BudgetBases1795910000000 } from './1795910000000-budget-bases.js';
import { UsageHours1795920000001 } from './1795920000001-usage-hours.js';
import { LedgerHours1795920000002 } from './1795920000002-ledger-hours.js';
import { RoomForLastUses1795930000000 } from './1795930000000-room-for-last-uses.js';
import { NoDefaultPartition1795940000000 } from './1795940000000-no-default-partition.js';
import { RoomInTheLedger1795950000000 } from './1795950000000-room-in-the-ledger.js';
import { ModelsOfDays1796000000000 } from './1796000000000-models-of-days.js';
import { CapacityShares1796100000000 } from './1796100000000-capacity-shares.js';
import { InstallationSecret1796200000000 } from './1796200000000-installation-secret.js';
import { LedgerId1796300000000 } from './1796300000000-ledger-id.js';
import { UnchargedCosts1796310000000 } from './1796310000000-uncharged-costs.js';
import { SqlFunctions1796400000000 } from './1796400000000-sql-functions.js';
import { ApisOfCalls1796500000000 } from './1796500000000-apis-of-calls.js';
import { Projects1796600000000 } from './1796600000000-projects.js';
import { RefusedByWhom1796700000000 } from './1796700000000-refused-by-whom.js';
import { ContentLog1796800000000 } from './1796800000000-content-log.js';
import { UsesOfPreviousSecrets1796850000000 } from './1796850000000-uses-of-previous-secrets.js';
import { AlertAnswers1796900000000 } from './1796900000000-alert-answers.js';
import { BudgetRefusals1796910000000 } from './1796910000000-budget-refusals.js';
import type { Migration } from './migration.js';

/** Every migration, oldest first. */
export const MIGRATIONS: readonly (new () => Migration)[] = [
  Foundation1795219200000,
  Console1795305600000,
  UsageRollups1795309200000,
  Setup1795312800000,
  CarefulLedger1795401800000,
  SetupOnce1795402400000,
  KeyBounds1795402460000,
  AuditChain1795402520000,
  SchemaWriter1795403000000,
  RecentErrorsOfKeys1795403300000,
  RefusedRequests1795405400000,
  KeysOfTheirTime1795406000000,
  LeanLedger1795610000000,
  LimitBalances1795611000000,
  LimitValues1795620000000,
  Alerts1795621000000,
  ServedModel1795630000000,
  Idempotency1795640000000,
  Payments1795645000000,
  RefusedKeysOfTheirTime1795650000000,
  AlertsOfTheirTime1795662000000,
  LedgerRowTypes1795670000000,
  Refunds1795700000000,
  ChargedInFull1795801000000,
  BudgetBases1795910000000,
  UsageHours1795920000001,
  LedgerHours1795920000002,
  RoomForLastUses1795930000000,
  NoDefaultPartition1795940000000,
  RoomInTheLedger1795950000000,
  ModelsOfDays1796000000000,
  CapacityShares1796100000000,
  InstallationSecret1796200000000,
  LedgerId1796300000000,
  UnchargedCosts1796310000000,
  SqlFunctions1796400000000,
  ApisOfCalls1796500000000,
  Projects1796600000000,
  RefusedByWhom1796700000000,
  ContentLog1796800000000,
  UsesOfPreviousSecrets1796850000000,
  AlertAnswers1796900000000,
  BudgetRefusals1796910000000,
];

/** Former migrations that only defined SQL functions. Older databases still list them. */
const FORMER = [
  'LimitAdmission1795612000000',
  'LimitEndings1795613000000',
  'SwiftLimitAdmission1795660000000',
  'SwiftLimitEndings1795661000000',
  'LimitsTakenAway1795663000000',
  'UsualLimitEndings1795680000000',
  'BalancesOfInterruptedCalls1795681000000',
  'PresentBalances1795800000000',
];

/** Their names, as in the table `migrations`. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

/** All migrations that a database can list. */
export const KNOWN_MIGRATIONS: readonly string[] = [...MIGRATION_NAMES, ...FORMER];
