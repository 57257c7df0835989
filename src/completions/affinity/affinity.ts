import type { LiveTarget } from '../../upstreams/targets/target.types.js';
import { type ConversationSource, conversationOf } from './conversation.js';
import type { MovedConversations } from './moved-conversations.js';
import { rendezvousScore } from './rendezvous.js';

interface WithTarget {
  readonly target: LiveTarget;
}

/** Sends all calls of a conversation to one target, which has the prompt in its cache. */
export class Affinity {
  /** Null: the call belongs to no conversation. Undefined: not computed yet. */
  private known: Buffer | null | undefined;

  constructor(
    private readonly call: ConversationSource,
    private readonly moved: MovedConversations,
  ) {}

  get conversation(): Buffer | null {
    if (this.known === undefined) this.known = conversationOf(this.call);
    return this.known;
  }

  /** The conversation's target among the candidates; null: the call belongs to no conversation. */
  among<Candidate extends WithTarget>(candidates: readonly Candidate[]): Candidate | null {
    const { conversation } = this;
    if (conversation === null) return null;
    const movedTo = this.moved.find(nameOf(conversation));
    const there = movedTo && candidates.find(({ target }) => target.id === movedTo);
    return there || best(conversation, candidates);
  }

  /** `peers`: all targets of the same priority, healthy or not. */
  servedBy(served: WithTarget, peers: readonly WithTarget[]): void {
    if (peers.length < 2) return;
    const { conversation } = this;
    if (conversation === null) return;
    const name = nameOf(conversation);
    const usual = this.moved.find(name) ?? (best(conversation, peers) ?? served).target.id;
    const { id } = served.target;
    if (id !== usual) this.moved.learn(name, id);
  }
}

function best<Candidate extends WithTarget>(conversation: Buffer, candidates: readonly Candidate[]): Candidate | null {
  let found: Candidate | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (const candidate of candidates) {
    const score = rendezvousScore(conversation, candidate.target);
    if (score <= highest) continue;
    found = candidate;
    highest = score;
  }
  return found;
}

function nameOf(conversation: Buffer): string {
  return conversation.toString('base64url', 0, 12);
}
