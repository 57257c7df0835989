import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Subject } from 'rxjs';

/** A conversation that goes on elsewhere than at its own target. */
export interface MovedConversation {
  readonly conversation: string;
  readonly targetId: string;
}

/** So many are remembered; the one that was silent for longest is forgotten first. */
const REMEMBERED = 20_000;
const REMEMBERED_MS = 60 * 60_000;

/**
 * Where conversations went whose target had failed: they stay there when it works again, since that is where their prompt
 * cache is by then. Only these are remembered, all others need no memory.
 */
@Injectable()
export class MovedConversations {
  /** What this process has learned by its own calls. */
  readonly learned = new Subject<MovedConversation>();
  private readonly targets = new LRUCache<string, string>({
    max: REMEMBERED,
    ttl: REMEMBERED_MS,
    updateAgeOnGet: true,
  });

  /** The id of the target that serves it; undefined: its own. */
  find(conversation: string): string | undefined {
    return this.targets.size === 0 ? undefined : this.targets.get(conversation);
  }

  /** It was served there. */
  learn(conversation: string, targetId: string): void {
    this.note(conversation, targetId);
    this.learned.next({ conversation, targetId });
  }

  /** Another process has learned it. */
  note(conversation: string, targetId: string): void {
    this.targets.set(conversation, targetId);
  }
}
