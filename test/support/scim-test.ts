import type { Permission } from '../../src/accounts/permissions.js';
import { ProjectsService } from '../../src/accounts/projects.service.js';
import { COMMAND_LINE } from '../../src/audit/audit.types.js';
import { AccessTokensService } from '../../src/auth/access-tokens.service.js';
import { ConsoleClient } from './console-client.js';
import { TestGateway } from './test-gateway.js';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const CONFIG = `
signIn:
  local: true
  oidc:
    issuer: https://login.example.com
    clientId: gateway
    adminGroups: [admins]
    planLifetime: 30d
    plans: { engineers: pro }
    projects: { engineers: { project: Research, role: manager }, 0f1e2d3c: { project: Lab } }`;

// biome-ignore lint/suspicious/noExplicitAny: tests check the content of an answer.
export type Json = any;

/** A gateway to which an identity provider sends people and groups. */
export class ScimTest {
  private constructor(
    readonly gateway: TestGateway,
    readonly admin: ConsoleClient,
    /** The identity provider's, of scope `scim`. */
    private readonly token: string,
  ) {}

  static async start(): Promise<ScimTest> {
    const env = { SIMULATOR: 'on', APP_URL: 'http://gateway.test', OIDC_CLIENT_SECRET: 'secret' };
    const gateway = await TestGateway.start({ env, config: { 'gateway.yaml': CONFIG } });
    for (const name of ['Research', 'Lab']) await gateway.services.get(ProjectsService).create(name, COMMAND_LINE);
    const admin = await ConsoleClient.as(gateway, 'admin');
    return new ScimTest(gateway, admin, await ScimTest.tokenOf(gateway, admin, ['scim']));
  }

  static async tokenOf(gateway: TestGateway, { user }: ConsoleClient, scopes: readonly Permission[]): Promise<string> {
    const tokens = gateway.services.get(AccessTokensService);
    return (await tokens.create({ userId: user.id, name: 'provider', scopes }, COMMAND_LINE)).token;
  }

  async send(method: string, path: string, body?: object, token: string | null = this.token) {
    const response = await fetch(`${this.gateway.url}/scim/v2${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/scim+json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = (text ? JSON.parse(text) : null) as Json;
    return { status: response.status, type: response.headers.get('content-type'), body: parsed };
  }

  find(filter: string, kind = 'Users') {
    return this.send('GET', `/${kind}?filter=${encodeURIComponent(filter)}`);
  }

  patch(path: string, ...operations: object[]) {
    return this.send('PATCH', path, { schemas: [PATCH], Operations: operations });
  }

  async createUser(email: string, more: object = {}): Promise<string> {
    const { body } = await this.send('POST', '/Users', { schemas: [USER], userName: email, active: true, ...more });
    return body.id;
  }

  async createKey(userId: string): Promise<string> {
    return (await this.admin.post('/api/keys', { userId, name: 'k' })).body.key;
  }

  async statusWith(key: string, { url }: { url: string } = this.gateway): Promise<number> {
    return (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
  }
}
