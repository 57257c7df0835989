import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientMetadata, Configuration } from 'oidc-provider';
import { afterFile } from './after-file.js';

export const CLIENT_ID = 'gateway';
export const CLIENT_SECRET = 'a secret: with / what % may + break';

export interface OidcServerOptions {
  /** The gateway's public URL. */
  appUrl: string;
  /** A port to reuse; else a free one. */
  port?: number;
  client?: Partial<ClientMetadata>;
  /** Claims are in the ID token as well as in userinfo. */
  claimsInIdToken?: boolean;
}

const { Provider } = await quietly(() => import('oidc-provider'));
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY = { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', use: 'sig', kid: 'test' };

/** A real OpenID provider on 127.0.0.1. The name typed on its page is the subject. */
export class OidcServer {
  /** Current claims by subject. */
  readonly people = new Map<string, Record<string, unknown>>();
  /** Requested paths. */
  readonly requested: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start({ appUrl, port = 0, client, claimsInIdToken = false }: OidcServerOptions): Promise<OidcServer> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const oidc = new OidcServer(server, issuer);
    const provider = await quietly(
      async () => new Provider(issuer, oidc.configuration(appUrl, claimsInIdToken, client)),
    );
    const answer = provider.callback();
    server.on('request', (request, response) => {
      oidc.requested.push(new URL(request.url ?? '', issuer).pathname);
      void answer(request, response);
    });
    return oidc;
  }

  get port(): number {
    return Number(new URL(this.issuer).port);
  }

  readonly stop = afterFile(async () => {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  });

  private configuration(appUrl: string, claimsInIdToken: boolean, client: Partial<ClientMetadata> = {}): Configuration {
    return {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [`${appUrl}/api/oidc/callback`],
          ...client,
        },
      ],
      jwks: { keys: [KEY] },
      cookies: { keys: ['test'] },
      pkce: { required: () => true },
      conformIdTokenClaims: !claimsInIdToken,
      claims: { openid: ['sub', 'groups', 'roles'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...this.people.get(id), sub: id }) }),
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    };
  }
}

/** Suppresses the provider's warnings about test settings. */
async function quietly<Result>(work: () => Promise<Result>): Promise<Result> {
  const { warn, info } = console;
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, info });
  }
}
