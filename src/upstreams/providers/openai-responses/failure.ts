import type { FailureReading } from '../openai/failure.js';
import { type ResponsesSurface, withRefusedPart } from './native.api.js';

/** The API's field names → those of Chat Completions; positions in the input have no equivalent. */
const CALLERS_FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^input\b.*$/, 'messages'],
  [/^reasoning\.effort\b/, 'reasoning_effort'],
  [/^text\.format\b/, 'response_format'],
  [/^text\.verbosity\b/, 'verbosity'],
];

/** Errors have the format of Chat Completions but name the Responses API's fields. */
export function failureReading(surface: ResponsesSurface): FailureReading {
  return {
    outputLimit: 'max_output_tokens',
    refineFailure: withRefusedPart((failure, facts) => {
      const named = { ...failure, param: callersField(failure.param) };
      return surface.refineFailure?.(named, facts) ?? named;
    }),
  };
}

function callersField(param: string | null | undefined): string | null {
  if (param == null) return null;
  const [theirs, ours] = CALLERS_FIELDS.find(([pattern]) => pattern.test(param)) ?? [];
  return theirs && ours ? param.replace(theirs, ours) : param;
}
