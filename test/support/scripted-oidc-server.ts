import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from './after-file.js';

export interface TokenScript {
  /** Overrides claims of a valid token. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Sign with a key that the provider does not publish. */
  strangeKey?: boolean;
  /** The userinfo response; `sub` defaults to the token's. */
  userinfo?: Record<string, unknown>;
  /** The whole response of the token endpoint. */
  answer?: { status: number; body: string; type?: string };
}

/** An OpenID provider with scripted, possibly wrong responses. */
export class ScriptedOidcServer {
  script: TokenScript = {};
  /** Overrides the provider's metadata. */
  metadata: Record<string, unknown> = {};
  /** `Authorization` headers and bodies of requests to the token endpoint. */
  readonly exchanges: { authorization: string | undefined; body: URLSearchParams }[] = [];
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly strangeKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private nonce = '';

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<ScriptedOidcServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const oidc = new ScriptedOidcServer(server, issuer);
    server.on('request', (request, response) => void oidc.answer(request, response));
    return oidc;
  }

  /** Redirects the browser back, as after a sign-in. */
  authorize(authorization: string): string {
    const { searchParams } = new URL(authorization);
    this.nonce = searchParams.get('nonce') ?? '';
    const answer = new URLSearchParams({ code: 'a-code', state: searchParams.get('state') ?? '' });
    return `${searchParams.get('redirect_uri')}?${answer}`;
  }

  readonly stop = afterFile(async () => {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  });

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', this.issuer);
    if (pathname === '/token') return this.answerToken(request, response);
    const reported: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer: this.issuer,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        userinfo_endpoint: `${this.issuer}/userinfo`,
        jwks_uri: `${this.issuer}/jwks`,
        ...this.metadata,
      },
      '/jwks': { keys: [{ ...this.keys.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }] },
      '/userinfo': { sub: 'someone', ...this.script.userinfo },
    };
    send(response, pathname in reported ? 200 : 404, JSON.stringify(reported[pathname] ?? {}));
  }

  private async answerToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    this.exchanges.push({ authorization: request.headers.authorization, body });
    const { answer } = this.script;
    if (answer) return send(response, answer.status, answer.body, answer.type);
    const token = { access_token: 'an-access-token', token_type: 'Bearer', id_token: this.idToken() };
    send(response, 200, JSON.stringify(token));
  }

  private idToken(): string {
    const { claims, header, strangeKey } = this.script;
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + 60 };
    const all = { iss: this.issuer, sub: 'someone', aud: 'gateway', nonce: this.nonce, ...times, ...claims };
    const key = strangeKey ? this.strangeKeys.privateKey : this.keys.privateKey;
    return toJwt({ alg: 'RS256', kid: 'k', ...header }, all, key);
  }
}

function toJwt(header: Record<string, unknown>, claims: object, key: KeyObject): string {
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = header.alg === 'none' ? '' : sign('sha256', Buffer.from(signed), key).toString('base64url');
  return `${signed}.${signature}`;
}

function send(response: ServerResponse, status: number, body: string, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}
