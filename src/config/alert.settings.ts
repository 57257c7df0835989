import type { Environment } from './environment.js';

/** Where alerts are sent. */
export interface AlertSettings {
  readonly url: string;
  /** Null: alerts are not signed. */
  readonly secret: string | null;
}

/** Null if there is no address: nothing is sent. */
export function readAlerts(environment: Environment, url: string | undefined): AlertSettings | null {
  const secret = environment.readSecret('ALERT_WEBHOOK_SECRET') || null;
  return url === undefined ? null : { url, secret };
}
