import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../common/password-length.js';
import type { Environment } from './environment.js';

export interface FirstAdminSettings {
  readonly email: string;
  readonly password: string;
}

/** ADMIN_EMAIL with ADMIN_PASSWORD; prefer ADMIN_PASSWORD_FILE. */
export function readFirstAdmin(environment: Environment): FirstAdminSettings | null {
  const email = environment.read('ADMIN_EMAIL');
  const password = environment.readSecret('ADMIN_PASSWORD');
  if (email === undefined || password === undefined) {
    if (email !== undefined) environment.fault('ADMIN_PASSWORD_FILE', 'is required by ADMIN_EMAIL');
    if (password !== undefined) environment.fault('ADMIN_EMAIL', 'is required by ADMIN_PASSWORD');
    return null;
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) environment.fault('ADMIN_EMAIL', 'must be an e-mail address');
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    environment.fault('ADMIN_PASSWORD', `must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
  }
  return { email, password };
}
