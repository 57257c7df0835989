import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createOutboundHttp, type OutboundHttp } from '../common/outbound-http.js';
import type { GuardSettings } from '../config/guard.settings.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { TextGuard } from './detection/text.guard.js';
import type { Guard } from './guard.js';
import { ModerationGuard } from './services/moderation.guard.js';
import { PresidioGuard } from './services/presidio.guard.js';
import { WebhookGuard } from './services/webhook.guard.js';

/** The guards of gateway.yaml. A reload replaces them; running calls keep theirs. */
@Injectable()
export class GuardsService implements OnApplicationShutdown {
  private readonly http: OutboundHttp;
  private from: Settings['guardSettings'] | null = null;
  private guards: ReadonlyMap<string, Guard> = new Map();

  constructor(@InjectSettings() private readonly settings: Settings) {
    this.http = createOutboundHttp(settings.proxy);
  }

  onApplicationShutdown(): Promise<void> {
    return this.http.close();
  }

  /**
   * Those for everybody, then those named by the lists, each once. Names that gateway.yaml no longer has stand for a
   * guard that refuses: what was to be checked must not pass because its definition was removed.
   */
  of(...lists: readonly (readonly string[])[]): readonly Guard[] {
    const { guardsForAll } = this.settings;
    if (guardsForAll.length === 0 && lists.every((list) => list.length === 0)) return NONE;
    const names = new Set([...guardsForAll, ...lists.flat()]);
    const known = this.current();
    return [...names].map((name) => known.get(name) ?? missingGuard(name));
  }

  named(name: string): Guard | undefined {
    return this.current().get(name);
  }

  private current(): ReadonlyMap<string, Guard> {
    const { guardSettings } = this.settings;
    if (this.from !== guardSettings) {
      this.guards = new Map([...guardSettings].map(([name, settings]) => [name, this.create(settings)]));
      this.from = guardSettings;
    }
    return this.guards;
  }

  private create(settings: GuardSettings): Guard {
    const { webhook, presidio, moderation } = settings;
    if (webhook) return new WebhookGuard(settings, this.http);
    if (presidio) return new PresidioGuard(settings, this.http);
    if (moderation) {
      return new ModerationGuard(settings, this.http, () => this.settings.upstreams.get(moderation.upstream));
    }
    return new TextGuard(settings);
  }
}

const NONE: readonly Guard[] = [];

function missingGuard(name: string): Guard {
  return {
    name,
    action: 'block',
    sides: new Set(['request', 'answer']),
    restores: false,
    refusesMedia: false,
    stream: { kind: 'window', characters: Infinity },
    check: () => Promise.reject(new Error(`gateway.yaml has no guard ${name}.`)),
  };
}
