import type { Settings } from '../../config/settings.js';
import type { SsoView } from '../session/dto/session-view.dto.js';

/** The buttons for single sign-on. */
export function ssoLinks({ signIn: { oidc } }: Settings): SsoView[] {
  return oidc ? [{ id: 'oidc', label: oidc.label, startUrl: '/api/oidc/start' }] : [];
}
