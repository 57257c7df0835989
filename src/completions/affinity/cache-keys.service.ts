import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InstallationSecretService } from '../../database/installation-secret.service.js';
import { UpstreamAccesses } from '../../upstreams/attempt/upstream-access.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';
import type { Affinity } from './affinity.js';

/** OpenAI's limit is 64 characters. */
const LENGTH = 32;

/** Gives providers a cache key for each conversation that reveals nothing about the caller or the conversation. */
@Injectable()
export class CacheKeys {
  constructor(
    private readonly accesses: UpstreamAccesses,
    private readonly secret: InstallationSecretService,
  ) {}

  /** Adds a `prompt_cache_key` if the target supports it and the caller sent none. */
  added(request: ChatCompletionRequest, target: LiveTarget, affinity: Affinity): ChatCompletionRequest {
    const secret = this.secret.value;
    if (secret === null || request.prompt_cache_key != null) return request;
    if (!this.accesses.get(target.upstream).adapter.takesCacheKey || affinity.conversation === null) return request;
    const digest = createHmac('sha256', secret).update(affinity.conversation).digest('base64url');
    return { ...request, prompt_cache_key: digest.slice(0, LENGTH) };
  }
}
