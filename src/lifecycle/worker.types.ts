import type { PgConnection } from '../database/database.server.js';

export interface WorkerOrder {
  /** The first process has number 1. */
  readonly number: number;
  readonly port: number;
  /** The embedded database; null: the worker finds the database by its URL. */
  readonly database: PgConnection | null;
}

/** To a worker: start serving, with a `WorkerOrder`; answered when it serves. */
export const SERVE = 'serve';
/** To a worker: its metrics. */
export const OWN_METRICS = 'own metrics';
/** To the first process: the metrics of all processes. */
export const ALL_METRICS = 'all metrics';
