/** Steps that run one after the other at one point of a process's life. */
export interface Phase {
  /** Where the steps are called: a file of the process, a hook of Nest, or `beforeReady` of `DatabaseService`. */
  readonly by: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly who: string;
  readonly does: string;
  readonly inFirst?: true;
  /** How a log line of this step starts. */
  readonly says?: string;
}

/**
 * The start of a gateway, in order. Nest's hooks run from lower to higher modules, and in reverse at stop;
 * `beforeReady` steps run in the order of their registration. Each process listens last, when it can serve.
 */
export const START: readonly Phase[] = [
  {
    by: 'main.ts',
    steps: [
      { who: 'settings', does: 'reads the environment and `config/*.yaml`; reports all mistakes together' },
      {
        who: 'Workers',
        does: 'checks that the port is free, and starts the other processes, which load',
        inFirst: true,
      },
      { who: 'DatabaseServer', does: 'starts the embedded Postgres while the modules are created', inFirst: true },
    ],
  },
  {
    by: 'onModuleInit',
    steps: [
      { who: 'TracesService', does: 'loads OpenTelemetry, if calls are traced' },
      { who: 'WebService', does: "adds the route of the console's files" },
    ],
  },
  {
    by: 'onApplicationBootstrap',
    steps: [
      { who: 'LoopDelay', does: 'starts to measure the lag of the event loop' },
      { who: 'OwnQueue', does: 'starts to watch the calls that wait within the gateway' },
      { who: 'MetricsController', does: "starts the process's own metrics" },
      { who: 'ReloadTriggersService', does: 'starts to reload at SIGHUP and when files change' },
      { who: 'ShutdownService', does: 'starts to track open responses' },
      { who: 'MetricsServerService', does: 'opens the port for metrics, if there is one', inFirst: true },
    ],
  },
  {
    by: 'main.ts',
    steps: [
      { who: 'DatabaseService', does: 'connects (it waits for a database by URL) and migrates; one process at a time' },
      { who: 'SessionService', does: 'connects for LISTEN, locks and the clock' },
    ],
  },
  {
    by: 'beforeReady',
    steps: [
      { who: 'InstallationSecretService', does: 'reads the secret that all processes share' },
      { who: 'QueryPoolService', does: 'watches the pool of ordinary queries' },
      { who: 'ReportReaderService', does: 'connects to the replica for reports where there is one' },
      { who: 'LastUsedService', does: 'saves, every few seconds, when keys were last used' },
      { who: 'AuditChainService', does: 'logs the head of the audit log, once a day', inFirst: true },
      { who: 'ContentLogService', does: 'saves, every second, prompts and answers of keys that opted in' },
      { who: 'ContentRetentionService', does: 'deletes old contents, every ten minutes', inFirst: true },
      { who: 'RefusalsService', does: 'saves, every few seconds, refused requests' },
      { who: 'UnchargedCostsService', does: 'saves, every few seconds, costs that no caller is charged for' },
      { who: 'BalanceBasesService', does: 'sums up the spending before a budget was set', inFirst: true },
      { who: 'UsageRollupsService', does: 'rolls up new calls', inFirst: true },
      {
        who: 'UsagePartitionsService',
        does: "makes the ledger's partitions for this month and the next three",
        inFirst: true,
      },
      { who: 'AlertDeliveryService', does: 'sends pending alerts' },
      { who: 'AlertRetentionService', does: 'deletes old alerts, once an hour', inFirst: true },
      { who: 'InstanceService', does: 'takes the lock of this process, closes the open calls of dead processes' },
      { who: 'UsageRetentionService', does: 'starts the retention schedule', inFirst: true },
      { who: 'InstanceLeaseService', does: 'starts looking for processes that ended' },
      { who: 'CapacitySharingService', does: "shares the upstreams' limits with the other processes" },
      { who: 'IdempotencyService', does: 'deletes expired stored answers', inFirst: true },
      {
        who: 'UsageLedgerService',
        does: "opens the ledger's writers, and writes the calls that an earlier process left in the journal",
      },
      { who: 'SetupService', does: 'creates the administrator named in the settings', inFirst: true },
      { who: 'LedgerWatchService', does: 'alerts when the ledger cannot be written' },
      { who: 'BudgetWatchService', does: 'alerts when budgets are nearly used up', inFirst: true },
    ],
  },
  {
    by: 'main.ts',
    steps: [
      {
        who: 'Workers',
        does: 'start to accept requests, each after the same steps',
        inFirst: true,
        says: 'Worker 2 serves',
      },
      { who: 'GatewayPort', does: 'listens, unless `server.listen: start` already did', says: 'Listening on' },
      { who: 'ReadinessService', does: 'the gateway is ready' },
      { who: 'WelcomeService', does: 'logs its address and the live models', inFirst: true, says: 'Console' },
    ],
  },
];

/** The stop of a process, from the signal on; steps of one module run in parallel. */
export const STOP: readonly Phase[] = [
  {
    by: 'app.process.ts',
    steps: [
      {
        who: 'ShutdownService',
        does: 'reports not ready; then accepts no new connections and finishes running answers, also on open connections',
        says: 'Shutting',
      },
      { who: 'Workers', does: 'meanwhile, every worker goes through all of these steps', inFirst: true },
    ],
  },
  {
    by: 'beforeApplicationShutdown',
    steps: [
      { who: 'ReloadTriggersService', does: 'stops reloading' },
      { who: 'LedgerWatchService', does: 'stops watching' },
      { who: 'CapacitySharingService', does: 'gives its share of limits back' },
      { who: 'IdempotencyService', does: 'stops deleting' },
      { who: 'RoutingNewsService', does: 'sends its last news of set-aside targets' },
      { who: 'BudgetWatchService', does: 'finishes its last check' },
      { who: 'ContentLogService', does: 'saves the last contents' },
      { who: 'ContentRetentionService', does: 'stops deleting' },
      { who: 'AlertsService', does: 'saves pending alerts' },
      { who: 'AlertDeliveryService', does: 'finishes its delivery; the next process sends the rest' },
      { who: 'AlertRetentionService', does: 'stops deleting' },
      { who: 'UsageRetentionService', does: 'stops deleting' },
      { who: 'RefusalsService', does: 'saves the last refusals' },
      { who: 'UnchargedCostsService', does: 'saves the last costs that no caller is charged for' },
      { who: 'BalanceBasesService', does: 'finishes its last sum' },
      { who: 'UsageRollupsService', does: 'finishes its last batch' },
      { who: 'LastUsedService', does: 'saves the last uses of keys' },
      { who: 'OutageServingService', does: 'stops watching' },
      { who: 'UsageLedgerService', does: 'writes the last rows' },
      { who: 'InstanceLeaseService', does: 'stops looking for processes that ended' },
      { who: 'InstanceService', does: 'stops looking for dead processes' },
      { who: 'UsagePartitionsService', does: 'stops creating partitions' },
      { who: 'FutureBalancesService', does: 'finishes its last repair' },
      { who: 'QueryPoolService', does: 'stops watching' },
      { who: 'ReportReaderService', does: 'stops checking the replica' },
      { who: 'DatabaseService', does: 'stops trying to connect' },
      { who: 'SessionService', does: 'stops its checks' },
    ],
  },
  {
    by: 'onApplicationShutdown',
    steps: [
      { who: 'MetricsServerService', does: 'closes its port', inFirst: true },
      { who: 'StripeService', does: 'closes its connections' },
      { who: 'OidcClientService', does: 'closes its connections' },
      { who: 'LoopDelay', does: 'stops measuring' },
      { who: 'OwnQueue', does: 'stops watching' },
      { who: 'TracesService', does: 'sends the last traces' },
      { who: 'TokenCounter', does: 'ends its thread' },
      { who: 'UpstreamClient', does: 'closes the connections to upstreams' },
      { who: 'UsageLedgerService', does: "closes the writers' connections" },
      { who: 'AuditChainService', does: 'stops logging' },
      { who: 'TypeOrmCoreModule', does: 'closes the pool' },
      { who: 'ReportReaderService', does: "closes the replica's pool" },
      { who: 'SessionService', does: 'releases the locks' },
    ],
  },
  {
    by: 'main.ts',
    steps: [
      { who: 'DatabaseServer', does: 'the embedded Postgres stops', inFirst: true },
      { who: 'process', does: 'ends with 0', says: 'Stopped.' },
    ],
  },
];
