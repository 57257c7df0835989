import { type Check, oneOf, text } from '../../../completions/dto/checks.js';
import { type Fault, faultAt, missing } from '../../../completions/dto/fault.js';
import { audioData, fileData, imageUrl } from '../../../completions/dto/media.checks.js';
import {
  anyObject,
  isJsonObject,
  list,
  nullable,
  required,
  shape,
  tagged,
  textOr,
} from '../../../completions/dto/structure-checks.js';

const breakpoint = nullable(anyObject);
const detail = nullable(oneOf('auto', 'low', 'high', 'original'));
const fileId = nullable(text({ min: 1 }));
const webAddress = text({ pattern: /^https?:\/\/[^\s/?#]/i, expected: 'a web address' });

const inputText = shape({ text: required(text()), prompt_cache_breakpoint: breakpoint });

const inputImage = withOneOf(
  ['image_url', 'file_id'],
  shape({ image_url: nullable(imageUrl), file_id: fileId, detail, prompt_cache_breakpoint: breakpoint }),
  `'image_url' with ${imageUrl.expected}`,
);

const inputFile = withOneOf(
  ['file_data', 'file_url', 'file_id'],
  shape({
    filename: nullable(text()),
    file_data: nullable(fileData),
    file_url: nullable(webAddress),
    file_id: fileId,
    prompt_cache_breakpoint: breakpoint,
  }),
  `'file_data' with ${fileData.expected}`,
);

const inputAudio = shape({
  input_audio: required(shape({ data: required(audioData), format: required(oneOf('wav', 'mp3')) })),
});

const outputText = shape({ text: required(text()), annotations: nullable(list(anyObject, 'a list of annotations')) });
const refusal = shape({ refusal: required(text()) });

const inputParts = { input_text: inputText, input_image: inputImage, input_file: inputFile };

export const userContent = content({ ...inputParts, input_audio: inputAudio }, 1);
export const instructionContent = content(inputParts, 1);
export const assistantContent = content({ output_text: outputText, refusal, input_text: inputText }, 0);
export const toolOutput = content(inputParts, 0);

function content(parts: Readonly<Record<string, Check>>, min: number): Check {
  const words = min > 0 ? 'a non-empty list of content parts' : 'a list of content parts';
  return textOr(list(tagged('type', parts, 'a content part'), words, min));
}

/** An object with at least one of these fields. If all are missing, the fault names the first. */
function withOneOf(fields: readonly [string, ...string[]], check: Check, expected: string): Check {
  return {
    ...check,
    faultIn(value): Fault | null {
      const fault = check.faultIn(value);
      if (fault || !isJsonObject(value) || fields.some((field) => value[field] != null)) return fault;
      return faultAt(`.${fields[0]}`, missing(expected));
    },
  };
}
