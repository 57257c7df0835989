import type { PgConnection } from '../database/database.server.js';

/** What the first process of a gateway tells another one, which may serve then. */
export interface WorkerOrder {
  /** The first process has number 1. */
  readonly number: number;
  readonly port: number;
  /** Where the embedded database is; null: the worker finds the database by its URL. */
  readonly database: PgConnection | null;
}

/** To a worker: begin, with a `WorkerOrder`; answered when it serves. */
export const SERVE = 'serve';
/** To a worker: what it tells of itself in its metrics. */
export const OWN_METRICS = 'own metrics';
/** To the first process: what all of them tell. */
export const ALL_METRICS = 'all metrics';
