import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Subject } from 'rxjs';

export interface MovedConversation {
  readonly conversation: string;
  readonly targetId: string;
}

const REMEMBERED = 20_000;
const REMEMBERED_MS = 60 * 60_000;

/**
 * Conversations that moved because their target failed. They stay at the new target, which has their prompt in its
 * cache now. Other conversations are not stored.
 */
@Injectable()
export class MovedConversations {
  /** Moves in this process's own calls. */
  readonly learned = new Subject<MovedConversation>();
  private readonly targets = new LRUCache<string, string>({
    max: REMEMBERED,
    ttl: REMEMBERED_MS,
    updateAgeOnGet: true,
  });

  /** The id of the target it was moved to, if any. */
  find(conversation: string): string | undefined {
    return this.targets.size === 0 ? undefined : this.targets.get(conversation);
  }

  learn(conversation: string, targetId: string): void {
    this.note(conversation, targetId);
    this.learned.next({ conversation, targetId });
  }

  /** Records a move that another process reported. */
  note(conversation: string, targetId: string): void {
    this.targets.set(conversation, targetId);
  }
}
