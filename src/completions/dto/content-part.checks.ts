import { type Check, oneOf, text } from './checks.js';
import { audioData, fileData, imageUrl } from './media.checks.js';
import { list, named, optional, required, shape, tagged, textOr } from './structure-checks.js';

const promptCacheBreakpoint = optional(shape({ mode: required(oneOf('explicit')) }));

const textPart = named(
  'TextPart',
  shape({ text: required(text()), prompt_cache_breakpoint: promptCacheBreakpoint }),
  'Text.',
);

const imagePart = named(
  'ImagePart',
  shape({
    image_url: required(
      shape(
        { url: required(imageUrl), detail: optional(oneOf('auto', 'low', 'high', 'original')) },
        "an object with a 'url'",
      ),
    ),
    prompt_cache_breakpoint: promptCacheBreakpoint,
  }),
  'An image, for models with the capability `image_input`.',
);

const audioPart = named(
  'AudioPart',
  shape({
    input_audio: required(shape({ data: required(audioData), format: required(oneOf('wav', 'mp3')) })),
    prompt_cache_breakpoint: promptCacheBreakpoint,
  }),
  'Audio.',
);

const filePart = named(
  'FilePart',
  shape({
    file: required(
      shape({ filename: optional(text()), file_data: optional(fileData), file_id: optional(text({ min: 1 })) }),
    ),
    prompt_cache_breakpoint: promptCacheBreakpoint,
  }),
  'A file.',
);

const refusalPart = named('RefusalPart', shape({ refusal: required(text()) }), 'Why the model gave no answer.');

export const textContent = content({ text: textPart });
/** Tool results may contain screenshots. OpenAI's format does not allow them here, but other APIs do. */
export const toolContent = content({ text: textPart, image_url: imagePart });
export const userContent = content({ text: textPart, image_url: imagePart, input_audio: audioPart, file: filePart });
export const assistantContent = content({ text: textPart, refusal: refusalPart });

function content(parts: Readonly<Record<string, Check>>): Check {
  return textOr(list(tagged('type', parts, 'a content part', isForeignType), 'a non-empty list of content parts', 1));
}

/** The format's own types are only valid where the format allows them. */
function isForeignType(type: string): boolean {
  return !['text', 'image_url', 'input_audio', 'file', 'refusal'].includes(type);
}
