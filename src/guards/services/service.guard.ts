import type { OutboundHttp } from '../../common/outbound-http.js';
import type { GuardSettings } from '../../config/guard.settings.js';
import type { Guard, GuardAction, GuardedCall, GuardSide, GuardStream, TextFindings } from '../guard.js';

const MOST_AT_ONCE = 64;

/** A guard that asks a service on the network. */
export abstract class ServiceGuard implements Guard {
  readonly name: string;
  readonly action: GuardAction;
  readonly sides: ReadonlySet<GuardSide>;
  readonly restores: boolean;
  readonly refusesMedia: boolean;
  private running = 0;
  private readonly waiting = new Set<() => void>();

  constructor(
    protected readonly settings: GuardSettings,
    protected readonly http: OutboundHttp,
    readonly stream: GuardStream,
    private readonly timeoutMs: number,
  ) {
    this.name = settings.name;
    this.action = settings.do;
    this.sides = new Set(settings.on);
    this.restores = settings.restore;
    this.refusesMedia = settings.media === 'refuse';
  }

  abstract check(texts: readonly string[], call: GuardedCall): Promise<readonly TextFindings[]>;

  /** The service's JSON answer. Rejects if it is slow, away, or anything but a 200 with JSON. */
  protected async post(
    url: string,
    body: string,
    signal: AbortSignal | undefined,
    headers: Record<string, string> = {},
  ): Promise<unknown> {
    const timeout = AbortSignal.timeout(this.timeoutMs);
    const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
    await this.takeSlot(ended);
    try {
      return await this.postOnce(url, body, ended, headers).catch((error: unknown) => {
        if (!isBrokenConnection(error)) throw error;
        return this.postOnce(url, body, ended, headers);
      });
    } finally {
      const [next] = this.waiting;
      if (next) next();
      else this.running--;
    }
  }

  /** The slot of a request that ends is that of the first one that waits. */
  private async takeSlot(ended: AbortSignal): Promise<void> {
    ended.throwIfAborted();
    if (this.running < MOST_AT_ONCE) {
      this.running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        this.waiting.delete(begin);
        ended.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.waiting.delete(begin);
        reject(ended.reason);
      };
      this.waiting.add(begin);
      ended.addEventListener('abort', giveUp);
    });
  }

  private async postOnce(
    url: string,
    body: string,
    signal: AbortSignal,
    headers: Record<string, string>,
  ): Promise<unknown> {
    const response = await this.http.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal,
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The service of the guard ${this.name} answered ${response.status}.`);
    return JSON.parse(text);
  }
}

/** A kept connection that the service closed meanwhile: the service has seen nothing of the request. */
function isBrokenConnection(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code === 'UND_ERR_SOCKET' || cause?.code === 'ECONNRESET' || cause?.code === 'EPIPE';
}
