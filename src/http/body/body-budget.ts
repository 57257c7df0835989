import type { GatewayError } from '../../common/gateway.error.js';
import { overloaded, tooManyBodyBytes, unreadableBody } from '../../common/gateway.errors.js';

/**
 * Limits the bytes of request bodies in memory, from their arrival to the end of their answer. The bodies of one key
 * may use half; the only body of a key may use all.
 */
export class BodyBudget {
  shed = 0;
  private held = 0;
  private readonly heldByKey = new Map<string, number>();

  constructor(readonly limit: number) {}

  /** `own`: bytes that the body already uses. Null: there is room for `bytes` more. */
  refusal(keyId: string, own: number, bytes: number): GatewayError | null {
    const share = this.limit / 2;
    const ofKey = this.heldByKey.get(keyId) ?? 0;
    if (ofKey > own && ofKey + bytes > share) return tooManyBodyBytes(share);
    if (this.held + bytes <= this.limit) return null;
    this.shed++;
    return overloaded();
  }

  /** Negative `bytes` are released. */
  hold(keyId: string, bytes: number): void {
    this.held += bytes;
    const ofKey = (this.heldByKey.get(keyId) ?? 0) + bytes;
    if (ofKey > 0) this.heldByKey.set(keyId, ofKey);
    else this.heldByKey.delete(keyId);
  }
}

export class HeldBody {
  /** In bytes. Only `take` and `release` change it. */
  size = 0;
  private isOver = false;

  constructor(
    private readonly budget: BodyBudget,
    private readonly keyId: string,
  ) {}

  /** The reason why the bytes cannot be taken; checked before a body is read. */
  refusal(bytes: number): GatewayError | null {
    return this.budget.refusal(this.keyId, this.size, bytes);
  }

  /** Takes the bytes, or returns the reason why it cannot. */
  take(bytes: number): GatewayError | null {
    const refusal = this.isOver ? unreadableBody() : this.refusal(bytes);
    if (refusal) return refusal;
    this.budget.hold(this.keyId, bytes);
    this.size += bytes;
    return null;
  }

  /** Call it when the request has ended. Later bytes of its body are refused. */
  release(): void {
    this.budget.hold(this.keyId, -this.size);
    this.size = 0;
    this.isOver = true;
  }
}
