import type { LiveTarget } from '../../upstreams/targets/target.types.js';

type WeightedTarget = Pick<LiveTarget, 'id' | 'weight'>;

/**
 * Weighted rendezvous hashing: each conversation goes to the target with the highest score. It needs no state, has the
 * same result in every process and follows the weights. When a target is removed, only its conversations move.
 */
export function rendezvousScore(conversation: Buffer, target: WeightedTarget): number {
  return -target.weight / Math.log(drawn(conversation, hashOf(target.id)));
}

/** Above 0 and below 1, constant for a conversation. */
export function shareOf(conversation: Buffer): number {
  return drawn(conversation, 0);
}

/** Between 0 and 1, both excluded, with 52 random bits. */
function drawn(conversation: Buffer, salt: number): number {
  const high = mixed(conversation.readUInt32LE(0) ^ salt);
  const low = mixed(conversation.readUInt32LE(4) ^ salt ^ high);
  return (high * 2 ** 20 + (low >>> 12) + 0.5) / 2 ** 52;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/** The finalizer of MurmurHash3: each input bit changes half of the output bits. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
