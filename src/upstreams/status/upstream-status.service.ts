import { Injectable } from '@nestjs/common';
import type { TargetSettings } from '../../config/models.settings.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import { UpstreamAccesses } from '../attempt/upstream-access.js';
import { liveTargetsOf } from '../targets/live-targets.js';
import type { LiveTarget } from '../targets/target.types.js';

export interface UpstreamStatus {
  readonly upstream: UpstreamSettings;
  /** Whether there is a credential, or none is needed. */
  readonly isLive: boolean;
}

@Injectable()
export class UpstreamStatusService {
  constructor(
    private readonly accesses: UpstreamAccesses,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  list(): UpstreamStatus[] {
    return [...this.settings.upstreams.values()].map((upstream) => this.of(upstream));
  }

  /** Null: there is no such upstream. */
  find(name: string): UpstreamStatus | null {
    const upstream = this.settings.upstreams.get(name);
    return upstream ? this.of(upstream) : null;
  }

  isLive(upstream: UpstreamSettings): boolean {
    return this.accesses.find(upstream) !== null;
  }

  /** The live targets for a target of models.yaml: one for each key of its upstream. */
  targetsOf(target: TargetSettings): LiveTarget[] {
    const upstream = this.settings.upstreams.get(target.upstream);
    return upstream && this.isLive(upstream) ? liveTargetsOf(target, upstream) : [];
  }

  private of(upstream: UpstreamSettings): UpstreamStatus {
    return { upstream, isLive: this.isLive(upstream) };
  }
}
