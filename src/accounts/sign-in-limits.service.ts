import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { GatewayError, gatewayError } from '../common/gateway.error.js';
import { clientNetwork } from '../http/client-network.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An admitted attempt. It counts as failed until another result is reported. */
export interface SignInAttempt {
  /**
   * It succeeded: the account's failures from this client are reset, and the client is known to the account from now
   * on.
   */
  succeeded(): Promise<void>;
  /** The password was not checked. */
  withdrawn(): Promise<void>;
}

interface Counter {
  readonly limiter: RateLimiterPostgres;
  readonly key: string;
}

/**
 * Limits failed sign-ins, counted in the database for all processes. Each attempt is counted before its password is
 * checked, so parallel attempts gain nothing. The limits of an account from all addresses, and of a client for all
 * accounts, do not apply to clients from which the account was used before, so an attacker cannot lock out the owner.
 */
@Injectable()
export class SignInLimitsService {
  private readonly pair: RateLimiterPostgres;
  private readonly client: RateLimiterPostgres;
  private readonly account: RateLimiterPostgres;
  private readonly known: RateLimiterPostgres;
  private readonly token: RateLimiterPostgres;
  private readonly tokenClient: RateLimiterPostgres;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    this.pair = this.limiter('pair', 10, 15 * MINUTE);
    this.client = this.limiter('client', 100, HOUR);
    this.account = this.limiter('account', 100, 6 * HOUR);
    this.known = this.limiter('known', 1, 90 * DAY);
    this.token = this.limiter('token', 600, MINUTE);
    this.tokenClient = this.limiter('token-client', 100, HOUR);
  }

  /** Counts an attempt at an account; throws a 429 after too many. */
  async attempt(email: string, address: string | null): Promise<SignInAttempt> {
    const account = accountOf(email);
    const network = clientNetwork(address);
    const pair = `${account}:${network}`;
    const isKnown = (await this.known.get(pair)) !== null;
    const counted = await this.count([
      { limiter: this.pair, key: pair },
      ...(isKnown
        ? []
        : [
            { limiter: this.client, key: network },
            { limiter: this.account, key: account },
          ]),
    ]);
    return {
      succeeded: async () => {
        await this.takeBack(counted);
        await this.pair.delete(pair);
        await this.known.set(pair, 1, 90 * DAY);
      },
      withdrawn: () => this.takeBack(counted),
    };
  }

  /** Counts an attempt without an account, for example with the token of a link. */
  async attemptFrom(address: string | null): Promise<SignInAttempt> {
    const counted = await this.count([{ limiter: this.client, key: clientNetwork(address) }]);
    const takeBack = () => this.takeBack(counted);
    return { succeeded: takeBack, withdrawn: takeBack };
  }

  /** Counts a request with an access token; throws a 429 after too many in a minute. */
  async useToken(id: string): Promise<void> {
    await this.token.consume(id).catch((refused: unknown) => {
      throw refused instanceof RateLimiterRes ? tooManyRequests(refused.msBeforeNext) : refused;
    });
  }

  /** Counts a request whose access token is not valid; throws a 429 after too many from the address's network. */
  async failedToken(address: string | null): Promise<void> {
    await this.count([{ limiter: this.tokenClient, key: clientNetwork(address) }]);
  }

  /** Resets all failures of an account: someone with the right to do so has set a new password. */
  async forget(email: string): Promise<void> {
    const account = accountOf(email);
    await this.account.delete(account);
    await this.dataSource.query('DELETE FROM sign_in_limits WHERE starts_with(key, $1)', [`pair:${account}:`]);
  }

  /** Checks one limit after the other: an attempt that the first limit refuses does not count for the next. */
  private async count(counters: readonly Counter[]): Promise<readonly Counter[]> {
    const counted: Counter[] = [];
    for (const counter of counters) {
      try {
        await counter.limiter.consume(counter.key);
        counted.push(counter);
      } catch (refused) {
        await this.takeBack(counted);
        throw refused instanceof RateLimiterRes ? tooManyAttempts(refused.msBeforeNext) : refused;
      }
    }
    return counted;
  }

  private async takeBack(counters: readonly Counter[]): Promise<void> {
    for (const { limiter, key } of counters) await limiter.reward(key);
  }

  private limiter(keyPrefix: string, points: number, duration: number): RateLimiterPostgres {
    return new RateLimiterPostgres({
      storeClient: withoutNames(this.dataSource),
      storeType: 'client',
      tableName: 'sign_in_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
    });
  }
}

function accountOf(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}

interface Statement {
  readonly text: string;
  readonly values?: unknown[];
}

/**
 * Removes the names of the library's statements: behind a pooler in transaction mode, another connection does not know
 * them.
 */
function withoutNames(dataSource: DataSource) {
  return {
    async query({ text, values }: Statement) {
      const runner = dataSource.createQueryRunner();
      try {
        const { records, affected } = await runner.query(text, values, true);
        return { rows: records, rowCount: affected };
      } finally {
        await runner.release();
      }
    },
  };
}

/** One error for all cases, so that it does not reveal which accounts exist. */
export function invalidCredentials(): GatewayError {
  return refusal(401, 'invalid_credentials', 'E-mail or password is wrong.');
}

export function localSignInDisabled(): GatewayError {
  return refusal(403, 'local_sign_in_disabled', 'Sign-in with a password is switched off. Use single sign-on.');
}

export function invalidSetupToken(): GatewayError {
  const message = 'This setup link is no longer valid. The command setup:link creates a new one.';
  return refusal(403, 'invalid_setup_token', message);
}

export function invalidPasswordLink(): GatewayError {
  const message =
    'This link is no longer valid: it was used, was replaced or has expired. Ask an administrator for a new one.';
  return refusal(403, 'invalid_link', message);
}

function tooManyAttempts(ms: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const message = `Too many attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return refusal(429, 'too_many_attempts', message, { 'retry-after': String(seconds) });
}

function tooManyRequests(ms: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const message = `This access token made more than 600 requests in a minute. Try again in ${seconds} s.`;
  return gatewayError(429, 'rate_limit_exceeded', message, { headers: { 'retry-after': String(seconds) } });
}

function refusal(status: number, code: string, message: string, headers: Record<string, string> = {}): GatewayError {
  return new GatewayError(status, { message, type: 'permission_error', param: null, code }, headers);
}
