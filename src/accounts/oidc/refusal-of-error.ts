import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { OidcRefusal, type OidcRefusalReason } from './oidc.types.js';

const MAX_DETAIL_LENGTH = 300;

/** Error codes of the client library for a missing or malformed response. */
const NO_ANSWER = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

/** What a failed exchange with the provider means. Its details never contain a code or a token. */
export function toRefusal(error: unknown): OidcRefusal {
  if (error instanceof OidcRefusal) return error;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const reason = error.error === 'access_denied' ? 'access_denied' : 'provider_refused';
    return refusal(reason, `${error.error}: ${error.error_description ?? 'no description'}`, error);
  }
  if (error instanceof ClientError) {
    const reason = NO_ANSWER.has(error.code ?? '') ? 'provider_unreachable' : 'invalid_answer';
    return refusal(reason, `${error.message} (${error.code})`, error);
  }
  if (error instanceof TypeError) return refusal('provider_unreachable', reasonOf(error), error);
  return refusal('failed', reasonOf(error), error);
}

function refusal(reason: OidcRefusalReason, detail: string, cause: unknown): OidcRefusal {
  return new OidcRefusal(reason, [], detail.slice(0, MAX_DETAIL_LENGTH), { cause });
}

/** The network error is the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
