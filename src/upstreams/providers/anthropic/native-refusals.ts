import { isObject } from '../../contract/json.js';
import type { NativeBody, ReducedBody } from '../../contract/native.body.js';
import type { UpstreamFailure } from '../../contract/upstream.error.js';
import { THINKING_REFUSED, withoutThinking } from './native-thoughts.js';

const BETAS = 'anthropic-beta';

/** "Unexpected value(s) `…` for the `anthropic-beta` header." (Vertex AI), "invalid beta flag" (Bedrock). */
const BETAS_REFUSED = /invalid beta flag|unexpected value\(s\).*`anthropic-beta` header/is;

/** Fields that only control a server, or the model's effort. */
const FIELD_REFUSED =
  /\b(context_management|service_tier|metadata|output_config\.effort)(?:\.[\w.]+)?: Extra inputs are not permitted/;

/** `isOtherHost`: the upstream is not Anthropic and lacks some features, such as Bedrock and Vertex AI. */
export function refusedPart(message: string, isOtherHost: boolean): UpstreamFailure['refusedPart'] {
  if (THINKING_REFUSED.test(message)) return 'reasoning';
  if (!isOtherHost) return undefined;
  return BETAS_REFUSED.test(message) ? 'betas' : FIELD_REFUSED.exec(message)?.[1];
}

export function withoutRefused(body: NativeBody, { refusedPart, message }: UpstreamFailure): ReducedBody | null {
  if (refusedPart === undefined) return null;
  if (refusedPart === 'reasoning') return withoutThinking(body);
  return refusedPart === 'betas' ? withoutBetas(body, message ?? '') : withoutField(body, refusedPart);
}

export function betasOf({ [BETAS]: betas = '' }: NativeBody['headers']): string[] {
  return betas.split(',').flatMap((beta) => beta.trim() || []);
}

/** Without the betas that the message names in back quotes; if there are none, without betas unknown to Bedrock. */
function withoutBetas(body: NativeBody, message: string): ReducedBody | null {
  const betas = betasOf(body.headers);
  const unnamed = betas.filter((beta) => !message.includes(`\`${beta}\``));
  const kept = unnamed.length < betas.length ? unnamed : betas.filter((beta) => BETAS_OF_BEDROCK.has(beta));
  if (kept.length === betas.length) return null;
  const { [BETAS]: _, ...others } = body.headers;
  const headers = kept.length > 0 ? { ...others, [BETAS]: kept.join(',') } : others;
  return { body: { ...body, headers }, leftOut: [BETAS] };
}

/** AWS, "Anthropic Claude Messages API". */
const BETAS_OF_BEDROCK: ReadonlySet<string> = new Set([
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'token-efficient-tools-2025-02-19',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'dev-full-thinking-2025-05-14',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'tool-search-tool-2025-10-19',
  'tool-examples-2025-10-29',
]);

/** `path`: a field, or a field of an object in it. */
function withoutField(body: NativeBody, path: string): ReducedBody | null {
  const [name = '', inner] = path.split('.');
  const { [name]: value, ...others } = body.fields;
  if (value === undefined) return null;
  if (inner === undefined) return { body: { ...body, fields: others }, leftOut: [path] };
  if (!isObject(value) || !(inner in value)) return null;
  const { [inner]: _, ...rest } = value;
  const fields = Object.keys(rest).length > 0 ? { ...others, [name]: rest } : others;
  return { body: { ...body, fields }, leftOut: [path] };
}
