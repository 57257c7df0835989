import type { GatewayError } from '../../common/gateway.error.js';
import { overloaded, tooManyBodyBytes, unreadableBody } from '../../common/gateway.errors.js';

/**
 * Bounds the bytes of request bodies that are in memory, from their arrival to the end of their answer. The bodies of one
 * key may take half of them; a body that is its key's only one may take all.
 */
export class BodyBudget {
  /** How many bodies were refused since all of it was taken. */
  shed = 0;
  private held = 0;
  private readonly heldByKey = new Map<string, number>();

  constructor(readonly limit: number) {}

  /** `own`: what the body holds already. Null: there is room for so many bytes more. */
  refusal(keyId: string, own: number, bytes: number): GatewayError | null {
    const share = this.limit / 2;
    const ofKey = this.heldByKey.get(keyId) ?? 0;
    if (ofKey > own && ofKey + bytes > share) return tooManyBodyBytes(share);
    if (this.held + bytes <= this.limit) return null;
    this.shed++;
    return overloaded();
  }

  /** Holds so many bytes more for a key; gives them back where they are negative. */
  hold(keyId: string, bytes: number): void {
    this.held += bytes;
    const ofKey = (this.heldByKey.get(keyId) ?? 0) + bytes;
    if (ofKey > 0) this.heldByKey.set(keyId, ofKey);
    else this.heldByKey.delete(keyId);
  }
}

/** The body of one request, as far as it is in memory. */
export class HeldBody {
  private bytes = 0;
  private isOver = false;

  constructor(
    private readonly budget: BodyBudget,
    private readonly keyId: string,
  ) {}

  /** Bytes so far, none once it is released. */
  get size(): number {
    return this.bytes;
  }

  /** Why so many bytes cannot be taken; to be asked before a body is read. */
  refusal(bytes: number): GatewayError | null {
    return this.budget.refusal(this.keyId, this.bytes, bytes);
  }

  /** Takes so many bytes more, or says why they cannot be taken. */
  take(bytes: number): GatewayError | null {
    const refusal = this.isOver ? unreadableBody() : this.refusal(bytes);
    if (refusal) return refusal;
    this.budget.hold(this.keyId, bytes);
    this.bytes += bytes;
    return null;
  }

  /** The request is over: what is still to come of its body is refused. */
  release(): void {
    this.budget.hold(this.keyId, -this.bytes);
    this.bytes = 0;
    this.isOver = true;
  }
}
