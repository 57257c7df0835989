import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OidcRefusal } from '../../accounts/oidc/oidc.types.js';
import { GatewayError } from '../../common/gateway.error.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { noteError } from '../../http/exception.filter.js';
import { setCookie } from '../session/cookies.js';
import { failurePath, toCookie, toFailure } from './sign-in-failure.js';

/** How long the cookies of a sign-in last. */
export const SIGN_IN_COOKIE = { maxAge: 10 * 60_000 };

/** Shows every failed sign-in as a page, because the client is a browser that follows redirects. */
@Catch()
export class OidcRefusalFilter implements ExceptionFilter {
  private readonly logger = new Logger('SingleSignOn');

  constructor(@InjectSettings() private readonly settings: Settings) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const refusal = exception instanceof OidcRefusal ? exception : new OidcRefusal('failed');
    const { reason, detail } = refusal;
    const requestId = request.context.id;
    if (reason === 'failed' && !(exception instanceof GatewayError)) this.logger.error(exception, { requestId });
    else this.logger.warn('A sign-in failed.', { requestId, reason, ...(detail !== null && { detail }) });
    const error = { message: reason, type: 'permission_error', param: null, code: reason } as const;
    noteError(request, new GatewayError(403, error));
    const failure = toFailure(refusal, requestId);
    setCookie('gateway_oidc_failure', toCookie(failure), SIGN_IN_COOKIE, response, this.settings);
    response.redirect(302, failurePath(failure));
  }
}
