import { Injectable } from '@nestjs/common';
import type { UpstreamSettings } from '../config/upstreams.settings.js';

/** Whether an upstream can be called at all: the module that has the adapters says so at start. */
@Injectable()
export class LiveProtocolsService {
  private isServed: (upstream: UpstreamSettings) => boolean = () => false;

  /** `isServed`: there is an adapter for the upstream's protocol, and its credential, if it wants one. */
  register(isServed: (upstream: UpstreamSettings) => boolean): void {
    this.isServed = isServed;
  }

  isLive(upstream: UpstreamSettings): boolean {
    return this.isServed(upstream);
  }
}
