import { OidcBrowser } from './oidc-browser.js';
import { CLIENT_ID, CLIENT_SECRET, OidcServer } from './oidc-server.js';
import { TestGateway } from './test-gateway.js';

const APP_URL = 'http://gateway.test';

const CONFIG = (issuer: string) => `
signIn:
  local: false
  oidc:
    issuer: ${issuer}
    clientId: ${CLIENT_ID}
    label: Example Login
    adminGroups: [admins]
    memberGroups: [staff, "R&D"]
    plans: { "R&D": pro, staff: nothing }
    projects: { "R&D": { project: Research, role: manager }, staff: { project: research } }`;

/** A gateway with single sign-on at a real provider, whose group `R&D` has the plan `pro`. */
export class OidcTest {
  static readonly appUrl = APP_URL;

  private constructor(
    readonly gateway: TestGateway,
    readonly provider: OidcServer,
  ) {}

  static async start(): Promise<OidcTest> {
    const provider = await OidcServer.start({ appUrl: APP_URL });
    const env = { APP_URL, OIDC_CLIENT_SECRET: CLIENT_SECRET };
    const gateway = await TestGateway.start({ env, config: { 'gateway.yaml': CONFIG(provider.issuer) } });
    return new OidcTest(gateway, provider);
  }

  browser(): OidcBrowser {
    return new OidcBrowser(APP_URL, this.gateway.url);
  }

  /** Creates a person at the provider with a verified email address; returns the name to sign in with. */
  person(name: string, claims: object = {}): string {
    const all = { email: `${name}@example.com`, email_verified: true, name, groups: ['staff'], ...claims };
    this.provider.people.set(name, all);
    return name;
  }

  /** Signs that person in with a new browser; returns the final page. */
  async signIn(name: string, claims: object = {}): Promise<{ one: OidcBrowser; page: string }> {
    const one = this.browser();
    return { one, page: await one.signIn(this.person(name, claims)) };
  }

  /** Reason and names on the page of a failed sign-in; throws if it is another page or someone is signed in. */
  async failure(one: OidcBrowser, page: string): Promise<[reason: string, missing: string[]]> {
    const { pathname, searchParams } = new URL(page, APP_URL);
    const { failure: reported } = JSON.parse((await one.get('/api/oidc/failure')).text);
    const isShown =
      reported.reason === searchParams.get('reason') && reported.requestId === searchParams.get('request');
    if (pathname !== '/sign-in-error' || !isShown || !/^req_/.test(reported.requestId))
      throw new Error(`ends at ${page}`);
    if (one.cookies.has('gateway_session')) throw new Error('somebody is signed in');
    return [reported.reason, reported.missing];
  }

  audit(name: string): Promise<Record<string, unknown>[]> {
    return this.gateway.database.query(
      'SELECT action, actor_kind, actor_name, before, after FROM audit_log WHERE target_name = $1 ORDER BY id',
      [`${name}@example.com`],
    );
  }

  async actions(name: string): Promise<unknown[]> {
    return (await this.audit(name)).map(({ action }) => action);
  }

  async user(name: string): Promise<Record<string, unknown> | undefined> {
    const sql = 'SELECT id, role, name, oidc_issuer, oidc_subject FROM users WHERE email = $1';
    return (await this.gateway.database.query(sql, [`${name}@example.com`]))[0];
  }

  grants(name: string): Promise<Record<string, unknown>[]> {
    return this.gateway.database.query(
      'SELECT plan_id, source, ends_at FROM plan_grants JOIN users u ON u.id = user_id WHERE email = $1 ORDER BY starts_at',
      [`${name}@example.com`],
    );
  }
}
