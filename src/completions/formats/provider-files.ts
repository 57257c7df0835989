import { type GatewayError, invalidRequest } from '../../common/gateway.error.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { ReadonlyJsonObject } from '../../upstreams/contract/json.js';

/** Files in a provider's account: Google's Files API, and buckets that the credential can read. */
const ACCOUNT_ADDRESS = /^(?:https?:\/\/[^/?#]*generativelanguage\.googleapis\.com\S*\bfiles\b|(?:gs|s3):\/\/)/i;
const ADDRESS_LENGTH = 256;

interface WithFiles {
  readonly request: ChatCompletionRequest;
  readonly native: { readonly accountFile?: string | null } | null;
}

/** Throws a 400 for references to files in the company's account at the provider, as any caller could read them. */
export function refuseProviderFiles({ request, native }: WithFiles): void {
  const { accountFile } = native ?? {};
  if (accountFile === undefined) refuseFilesIn(request);
  else if (accountFile !== null) throw refusal(accountFile);
}

/** The path of the first such reference within a value, for example `.file_id`; '' is the value itself. */
export function accountFileIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return isAccountAddress(value) ? '' : null;
  for (const name in value) {
    const inner = value[name as keyof typeof value] as unknown;
    const isFileId = name === 'file_id' && inner !== null && inner !== undefined;
    const within = isFileId ? '' : accountFileIn(inner);
    if (within !== null) return (Array.isArray(value) ? `[${name}]` : `.${name}`) + within;
  }
  return null;
}

/** `images`: pictures of an earlier answer. */
const WITH_MEDIA = ['content', 'images'];

function refuseFilesIn({ messages }: ChatCompletionRequest): void {
  for (const [index, message] of (messages as readonly ReadonlyJsonObject[]).entries()) {
    for (const field of WITH_MEDIA) {
      const parts = message[field];
      const path = Array.isArray(parts) ? accountFileIn(parts) : null;
      if (path !== null) throw refusal(`messages[${index}].${field}${path}`);
    }
  }
}

function isAccountAddress(value: unknown): boolean {
  return typeof value === 'string' && ACCOUNT_ADDRESS.test(value.slice(0, ADDRESS_LENGTH));
}

function refusal(path: string): GatewayError {
  const message = `'${path}' refers to a file in the provider's account, which this model does not allow. Send the file's content inline, as base64.`;
  return invalidRequest('unsupported_parameter', path, message);
}
