import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { json } from './script.js';
import { ScriptedUpstream } from './scripted-upstream.js';

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: object;
}

/** Beside RS256. */
export const ALGORITHMS = ['RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];

/** An identity provider on 127.0.0.1: discovery and signing keys for each path, and tokens signed by them. */
export class TokenIssuer {
  keys: SigningKey[] = [];
  isAway = false;

  private constructor(readonly server: ScriptedUpstream) {
    server.always(({ path }) => {
      if (this.isAway) return json(503, {});
      const [issuer, document] = path.split('/.well-known/');
      if (document === 'openid-configuration') {
        const url = `${server.url}${issuer}`;
        return json(200, { issuer: url, jwks_uri: `${url}/.well-known/keys` });
      }
      return document === 'keys' ? json(200, { keys: this.keys.map(({ jwk }) => jwk) }) : json(404, { path });
    });
  }

  static async start(): Promise<TokenIssuer> {
    const issuer = new TokenIssuer(await ScriptedUpstream.start());
    await issuer.addKey('first');
    for (const alg of ALGORITHMS) await issuer.addKey(alg, alg);
    return issuer;
  }

  get url(): string {
    return this.server.url;
  }

  /** Requests for signing keys so far. */
  get keyRequests(): number {
    return this.server.requests.filter(({ path }) => path.endsWith('/keys')).length;
  }

  async addKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const key = { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
    this.keys.push(key);
    return key;
  }

  /** Valid for five minutes; a claim that is undefined is left out. */
  token(claims: JWTPayload, key: SigningKey | undefined = this.keyOf('first')): Promise<string> {
    if (!key) throw new Error('the issuer has no key');
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: this.url, aud: 'gateway', iat: now, exp: now + 300, ...claims };
    return new SignJWT(payload).setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT' }).sign(key.privateKey);
  }

  keyOf(kid: string): SigningKey | undefined {
    return this.keys.find((key) => key.kid === kid);
  }
}
