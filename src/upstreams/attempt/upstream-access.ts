import { Injectable } from '@nestjs/common';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import { createSigner } from '../client/auth/signer.js';
import { UpstreamClient } from '../client/upstream.client.js';
import type { Signer } from '../client/upstream.types.js';
import type { NativeBody } from '../contract/native.body.js';
import { PROVIDERS } from '../providers/providers.js';
import type { LiveTarget } from '../targets/target.types.js';
import { nativeApiOf } from './native-api-of.js';

export type ListedAdapter = (typeof PROVIDERS)[number];

export interface UpstreamAccess {
  readonly adapter: ListedAdapter;
  readonly sign: Signer;
}

/** Caches the adapter and signer of each upstream. Reloaded settings get new ones. */
@Injectable()
export class UpstreamAccesses {
  private readonly found = new WeakMap<UpstreamSettings, UpstreamAccess | null>();

  constructor(private readonly client: UpstreamClient) {}

  /** Null: the upstream has no credential. */
  find(upstream: UpstreamSettings): UpstreamAccess | null {
    let access = this.found.get(upstream);
    if (access === undefined) {
      access = createAccess(upstream, this.client);
      this.found.set(upstream, access);
    }
    return access;
  }

  get(upstream: UpstreamSettings): UpstreamAccess {
    const access = this.find(upstream);
    if (!access) throw new Error(`the upstream '${upstream.name}' is not live`);
    return access;
  }

  /** Whether the target accepts this request natively, without the inner form. */
  takes(body: NativeBody, { upstream, upstreamModel }: LiveTarget): boolean {
    const { adapter } = this.get(upstream);
    return nativeApiOf(adapter, body, { upstreamModel, settings: upstream.settings }) !== null;
  }
}

function createAccess(upstream: UpstreamSettings, client: UpstreamClient): UpstreamAccess | null {
  const adapter = PROVIDERS.find(({ protocol }) => protocol === upstream.protocol);
  const sign = createSigner(upstream.scheme, upstream, client);
  return adapter && sign ? { adapter, sign } : null;
}
