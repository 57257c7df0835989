import { GatewayError } from '../common/gateway.error.js';

/** One error for all cases, so that it does not reveal which accounts exist. */
export function invalidCredentials(): GatewayError {
  return refusal(401, 'invalid_credentials', 'E-mail or password is wrong.');
}

export function localSignInDisabled(): GatewayError {
  return refusal(403, 'local_sign_in_disabled', 'Sign-in with a password is switched off. Use single sign-on.');
}

export function invalidSetupToken(): GatewayError {
  const message = 'This setup link is no longer valid. The command setup:link creates a new one.';
  return refusal(403, 'invalid_setup_token', message);
}

export function invalidPasswordLink(): GatewayError {
  const message =
    'This link is no longer valid: it was used, was replaced or has expired. Ask an administrator for a new one.';
  return refusal(403, 'invalid_link', message);
}

export function tooManyAttempts(ms: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const message = `Too many attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return refusal(429, 'too_many_attempts', message, { 'retry-after': String(seconds) });
}

function refusal(status: number, code: string, message: string, headers: Record<string, string> = {}): GatewayError {
  return new GatewayError(status, { message, type: 'permission_error', param: null, code }, headers);
}
