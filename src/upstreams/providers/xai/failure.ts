import type { UpstreamFailure } from '../../contract/upstream.error.js';
import type { ErrorFacts } from '../openai/error-facts.js';

/** Errors that need a closer look: a bad key (400), refused content (403), and xAI's own names of parameters. */
export function refineFailure(failure: UpstreamFailure, { message = '' }: ErrorFacts): UpstreamFailure {
  if (/incorrect api key/i.test(message)) return { ...failure, credentialRefused: true };
  if (/content violates usage guidelines/i.test(message)) {
    return { ...failure, status: 400, code: 'content_filter', message: 'The content violates usage guidelines.' };
  }
  const [, parameter] =
    /(?:argument not supported on this model: |does not support parameter )(\w+)/i.exec(message) ?? [];
  return parameter ? { ...failure, param: snakeCase(parameter), paramIsStructured: false } : failure;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
