import { Injectable } from '@nestjs/common';
import type { UpstreamSettings } from '../../config/upstreams.settings.js';
import { PROVIDERS } from '../providers/providers.js';
import type { Signer } from '../upstream/auth/signer.js';
import { createSigner } from '../upstream/auth/signers.js';

export type ListedAdapter = (typeof PROVIDERS)[number];

/** What it takes to call an upstream: the adapter of its protocol and the signer of its requests. */
export interface UpstreamAccess {
  readonly adapter: ListedAdapter;
  readonly sign: Signer;
}

/** Finds the access to an upstream, once for each. */
@Injectable()
export class UpstreamAccesses {
  private readonly found = new Map<string, UpstreamAccess | null>();

  /** Null: there is no adapter for the protocol, or no credential. */
  find(upstream: UpstreamSettings): UpstreamAccess | null {
    let access = this.found.get(upstream.name);
    if (access === undefined) {
      access = createAccess(upstream);
      this.found.set(upstream.name, access);
    }
    return access;
  }

  /** For an upstream that is known to be live. */
  get(upstream: UpstreamSettings): UpstreamAccess {
    const access = this.find(upstream);
    if (!access) throw new Error(`the upstream '${upstream.name}' is not live`);
    return access;
  }
}

function createAccess(upstream: UpstreamSettings): UpstreamAccess | null {
  const adapter = PROVIDERS.find(({ protocol }) => protocol === upstream.protocol);
  if (!adapter) return null;
  const sign = createSigner(upstream.auth === 'none' ? { kind: 'none' } : adapter.auth, upstream);
  return sign && { adapter, sign };
}
