import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { MetricsService } from './metrics.service.js';

/** Called with the number of rows and the time of each statement. */
export type BatchObserver = (rows: number, ms: number) => void;

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const ROWS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

@Injectable()
export class LedgerMetricsService {
  private readonly seconds: Histogram<'writer'>;
  private readonly rows: Histogram<'writer'>;
  private readonly timeouts: Counter<'writer'>;
  private readonly rowsApart: Counter;
  private readonly journal: Counter<'what'>;
  private journalCalls = () => 0;

  constructor(metrics: MetricsService) {
    const { registry } = metrics;
    const of = { labelNames: ['writer'] as const, registers: [registry] };
    this.seconds = new Histogram({
      ...of,
      name: 'gateway_ledger_batch_seconds',
      help: 'How long a statement that wrote rows of the ledger took.',
      buckets: SECONDS,
    });
    this.rows = new Histogram({
      ...of,
      name: 'gateway_ledger_batch_rows',
      help: 'Rows of the ledger that one statement wrote.',
      buckets: ROWS,
    });
    this.timeouts = new Counter({
      ...of,
      name: 'gateway_ledger_timeouts_total',
      help: 'Statements that opened calls and took too long: for calls of all callers (open), or of one caller (apart).',
    });
    this.rowsApart = new Counter({
      name: 'gateway_ledger_rows_apart_total',
      help: 'Calls that were opened again per caller after a common statement failed.',
      registers: [registry],
    });
    this.journal = new Counter({
      name: 'gateway_ledger_journal_total',
      help: 'Calls that were kept in the journal while the database was unavailable (kept), and that came from it into the ledger (replayed).',
      labelNames: ['what'],
      registers: [registry],
    });
    for (const what of ['kept', 'replayed']) this.journal.inc({ what }, 0);
    const waiting = 'Calls that have ended and wait in the journal for the database.';
    metrics.gauge('gateway_ledger_journal_calls', waiting, () => this.journalCalls());
    for (const writer of ['open', 'apart']) this.timeouts.inc({ writer }, 0);
  }

  observerOf(writer: string): BatchObserver {
    const seconds = this.seconds.labels(writer);
    const rows = this.rows.labels(writer);
    return (count, ms) => {
      seconds.observe(ms / 1000);
      rows.observe(count);
    };
  }

  watchJournal(calls: () => number): void {
    this.journalCalls = calls;
  }

  journaled(): void {
    this.journal.inc({ what: 'kept' });
  }

  replayed(calls: number): void {
    this.journal.inc({ what: 'replayed' }, calls);
  }

  /** A statement for calls of all callers failed; their rows are now written per caller. */
  observePerCaller(rows: number, isTimeout: boolean): void {
    this.rowsApart.inc(rows);
    if (isTimeout) this.observeTimeout('open');
  }

  observeTimeout(writer: 'open' | 'apart'): void {
    this.timeouts.inc({ writer });
  }
}
