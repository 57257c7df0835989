import { GatewayError } from '../../common/gateway.error.js';

export function notSignedIn(): GatewayError {
  return refusal(401, 'not_signed_in', 'You are not signed in, or your session has ended. Sign in and try again.');
}

export function adminOnly(): GatewayError {
  return refusal(403, 'admin_only', 'Only administrators can do this.');
}

export function otherUser(): GatewayError {
  return refusal(409, 'other_user', 'Another user has signed in in this browser. Reload the page.');
}

export function managerOnly(): GatewayError {
  return refusal(403, 'manager_only', 'Only managers of the project and administrators can do this.');
}

export function crossSiteRequest(): GatewayError {
  return refusal(403, 'cross_site_request', 'A page of another site sent this request. Use the console itself.');
}

/** The present state does not allow the request. */
export function conflict(code: string, message: string, param: string | null = null): GatewayError {
  return new GatewayError(409, { message, type: 'invalid_request_error', param, code });
}

function refusal(status: number, code: string, message: string): GatewayError {
  return new GatewayError(status, { message, type: 'permission_error', param: null, code });
}
