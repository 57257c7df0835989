import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { LessThan, type Repository } from 'typeorm';
import { ClockService } from '../database/clock.service.js';
import { clientNetwork } from '../http/client-network.js';
import { type OidcFlow, OidcRefusal, OidcSignInEntity, type StartedFlow } from './oidc.types.js';
import { hashOfToken } from './passwords.js';

const LIFETIME_MS = 10 * 60_000;
/** More than people need, even if all of them share one address. */
const MAX_FLOWS_PER_ADDRESS = 300;

/** Running sign-ins. Each belongs to one browser and can be finished once, on any replica. */
@Injectable()
export class OidcFlowsService {
  private readonly limit = new RateLimiterMemory({ points: MAX_FLOWS_PER_ADDRESS, duration: LIFETIME_MS / 1000 });

  constructor(
    @InjectRepository(OidcSignInEntity) private readonly flows: Repository<OidcSignInEntity>,
    private readonly clock: ClockService,
  ) {}

  async begin(browserToken: string, next: string, address: string | null): Promise<StartedFlow> {
    await this.limit.consume(clientNetwork(address)).catch((refused: unknown) => {
      throw refused instanceof RateLimiterRes ? new OidcRefusal('too_many') : refused;
    });
    const now = this.clock.date();
    const [state, nonce, codeVerifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
    await this.flows.delete({ expiresAt: LessThan(now) });
    await this.flows.insert({
      stateHash: hashOfToken(state),
      browserHash: hashOfToken(browserToken),
      nonce,
      codeVerifier,
      next,
      expiresAt: new Date(now.getTime() + LIFETIME_MS),
    });
    return { state, nonce, codeVerifier, next };
  }

  /** Takes the sign-in with this state and deletes it, whatever its result. */
  async take(state: string, browserToken: string | null): Promise<OidcFlow> {
    const where = { stateHash: hashOfToken(state) };
    const flow = await this.flows.findOneBy(where);
    const { affected } = await this.flows.delete(where);
    if (!flow || !affected || flow.expiresAt <= this.clock.date()) throw new OidcRefusal('expired');
    if (browserToken === null || !timingSafeEqual(hashOfToken(browserToken), flow.browserHash)) {
      throw new OidcRefusal('other_browser');
    }
    return flow;
  }
}
