import { Injectable } from '@nestjs/common';
import type { UpstreamSettings } from '../config/upstreams.settings.js';
import { EmbeddingsReader } from './attempt/embeddings.reader.js';
import { CloudIdentity } from './client/auth/cloud.credential.js';
import { createSigner, type UpstreamSecrets } from './client/auth/signer.js';
import { UpstreamClient } from './client/upstream.client.js';
import { CloudCredentialsService } from './cloud-credentials.service.js';
import type { ChatCompletionRequest } from './contract/chat.types.js';
import type { NativeBody } from './contract/native.body.js';
import type { NativeApi, NativeTarget, ProviderAdapter } from './contract/provider.adapter.js';
import { UpstreamError } from './contract/upstream.error.js';
import type { Signer } from './contract/upstream.types.js';
import { PROVIDERS } from './providers/providers.js';
import { withoutSecrets } from './providers/shared/event-data.js';
import type { LiveTarget } from './target.types.js';

export type ListedAdapter = (typeof PROVIDERS)[number];

export interface UpstreamAccess {
  readonly adapter: ListedAdapter;
  readonly sign: Signer;
}

/** Caches the adapter and signer of each upstream. Reloaded settings get new ones. */
@Injectable()
export class UpstreamAccesses {
  private readonly found = new WeakMap<UpstreamSettings, UpstreamAccess | null>();

  constructor(
    private readonly client: UpstreamClient,
    private readonly clouds: CloudCredentialsService,
  ) {}

  /** Null: the upstream has no credential. */
  find(upstream: UpstreamSettings): UpstreamAccess | null {
    let access = this.found.get(upstream);
    if (access === undefined) {
      access = createAccess(upstream, this.client, this.clouds);
      this.found.set(upstream, access);
    }
    return access;
  }

  get(upstream: UpstreamSettings): UpstreamAccess {
    const access = this.find(upstream);
    if (!access) throw new Error(`the upstream '${upstream.name}' is not live`);
    return access;
  }

  /** The most that schemas with references may grow at any of these targets. */
  schemaGrowth(targets: readonly LiveTarget[]): number {
    return Math.max(
      1,
      ...targets.map(({ upstream, upstreamModel }) => {
        const adapter: ProviderAdapter = this.get(upstream).adapter;
        return adapter.schemaGrowth?.(upstreamModel) ?? 1;
      }),
    );
  }

  /** Whether a model of any of these targets searches the web without being asked. */
  searchesUnasked(targets: readonly LiveTarget[], request: ChatCompletionRequest): boolean {
    return targets.some(({ upstream, upstreamModel }) => {
      const adapter: ProviderAdapter = this.get(upstream).adapter;
      return adapter.searchesUnasked?.(upstreamModel, request) === true;
    });
  }

  /** Whether the model reads the prompt again at any of these targets after each call of a tool of the provider. */
  rereadsPrompt(targets: readonly LiveTarget[]): boolean {
    return targets.some(({ upstream }) => {
      const adapter: ProviderAdapter = this.get(upstream).adapter;
      return adapter.rereadsPrompt === true;
    });
  }

  /** The tool with which one of these targets reads files; null: none needs one. */
  fileTool(targets: readonly LiveTarget[]): string | null {
    for (const { upstream } of targets) {
      const adapter: ProviderAdapter = this.get(upstream).adapter;
      if (adapter.fileTool !== undefined) return adapter.fileTool;
    }
    return null;
  }

  /** Whether the target accepts this request natively, without the inner form. */
  takes(body: NativeBody, { upstream, upstreamModel }: LiveTarget): boolean {
    const { adapter } = this.get(upstream);
    return nativeApiOf(adapter, body, { upstreamModel, settings: upstream.settings }) !== null;
  }
}

function createAccess(
  upstream: UpstreamSettings,
  client: UpstreamClient,
  clouds: CloudCredentialsService,
): UpstreamAccess | null {
  const adapter = PROVIDERS.find(({ protocol }) => protocol === upstream.protocol);
  const { credential } = upstream;
  const sign =
    credential instanceof CloudIdentity
      ? clouds.signerOf(upstream.name, credential)
      : createSigner(upstream.scheme, upstream, client);
  return adapter && sign ? { adapter, sign } : null;
}

/** The native API of a target for this request; null: it has none. */
export function nativeApiOf(adapter: ProviderAdapter, body: NativeBody, target: NativeTarget): NativeApi | null {
  if (body.api === 'completions') return adapter.textCompletions?.(target) ?? null;
  if (body.api !== 'embeddings') return adapter.nativeApi?.(body.api, target) ?? null;
  const embeddings = adapter.embeddings?.(target) ?? null;
  return embeddings && new EmbeddingsReader(embeddings, adapter, body);
}

const REMOVED = '[removed]';

/** A text may be cut within a credential: from this many characters on, a part at the end is removed, too. */
const MIN_PART_LENGTH = 6;

/** Removes the credential of an upstream from a text, plain or URL-encoded. */
export function withoutCredential(text: string, upstream: UpstreamSecrets): string {
  let cleaned = text;
  for (const secret of secretsOf(upstream)) {
    cleaned = withoutPartAtEnd(cleaned.replaceAll(secret, REMOVED), secret);
    const encoded = encodeURIComponent(secret);
    if (encoded !== secret) cleaned = cleaned.replaceAll(encoded, REMOVED);
  }
  return cleaned;
}

function secretsOf({ apiKey, credential }: UpstreamSecrets): string[] {
  return [...(apiKey === null ? [] : [apiKey]), ...(credential?.secrets ?? [])];
}

function withoutPartAtEnd(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= MIN_PART_LENGTH; length--) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + REMOVED;
  }
  return text;
}

const MAX_PARAM_LENGTH = 200;

/**
 * The upstream error for the caller, without the gateway's own credential. Adapters have already removed other secrets
 * from the message. `isLast`: the gateway has no attempts left.
 */
export function toCallerError(error: UpstreamError, upstream: UpstreamSettings, isLast = false): UpstreamError {
  const { message, param, requestId } = error.failure;
  const failure = {
    ...error.failure,
    message: message && withoutCredential(message, upstream),
    param: param && withoutSecrets(withoutCredential(param, upstream)).slice(0, MAX_PARAM_LENGTH),
    requestId: requestId && withoutCredential(requestId, upstream),
    isLast,
  };
  const isTheSame =
    failure.message === message && failure.param === param && failure.requestId === requestId && !isLast;
  return isTheSame ? error : new UpstreamError(failure, { cause: error.cause });
}
