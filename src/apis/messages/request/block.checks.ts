import { type Check, flag, oneOf, text } from '../../../completions/dto/checks.js';
import { base64Data, webAddress } from '../../../completions/dto/media.checks.js';
import {
  anyObject,
  list,
  nullable,
  required,
  shape,
  tagged,
  textOr,
} from '../../../completions/dto/structure-checks.js';

/** Marks the end of a prefix that the provider caches. */
export const cacheControl = nullable(shape({ type: required(oneOf('ephemeral')), ttl: nullable(oneOf('5m', '1h')) }));

const id = required(text({ min: 1 }));

const address = shape({ url: required(webAddress) });
const accountFile = shape({ file_id: id });

const imageSource = tagged(
  'type',
  {
    base64: shape({
      media_type: required(oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp')),
      data: required(base64Data),
    }),
    url: address,
    file: accountFile,
  },
  'an object with the image',
);

const textBlock = shape({ text: required(text()), cache_control: cacheControl });
const imageBlock = shape({ source: required(imageSource), cache_control: cacheControl });

const documentSource = tagged(
  'type',
  {
    base64: shape({ media_type: required(oneOf('application/pdf')), data: required(base64Data) }),
    text: shape({ media_type: required(oneOf('text/plain')), data: required(text()) }),
    content: shape({ content: required(content({ text: textBlock, image: imageBlock })) }),
    url: address,
    file: accountFile,
  },
  'an object with the document',
);

const documentBlock = shape({
  source: required(documentSource),
  title: nullable(text()),
  context: nullable(text()),
  citations: nullable(shape({ enabled: nullable(flag) })),
  cache_control: cacheControl,
});

const searchResultBlock = shape({
  source: required(text()),
  title: required(text()),
  content: required(list(tagged('type', { text: textBlock }, 'a text block'), 'a list of text blocks')),
  cache_control: cacheControl,
});

const toolUseBlock = shape({ id, name: id, input: required(anyObject), cache_control: cacheControl });

const toolResultBlock = shape({
  tool_use_id: id,
  content: nullable(
    content({ text: textBlock, image: imageBlock, document: documentBlock, search_result: searchResultBlock }),
  ),
  is_error: nullable(flag),
  cache_control: cacheControl,
});

const thinkingBlock = shape({ thinking: required(text()), signature: nullable(text()) });
const redactedThinkingBlock = shape({ data: required(text()) });

/** Blocks of user messages. */
const USER_BLOCKS: Readonly<Record<string, Check>> = {
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  search_result: searchResultBlock,
  tool_result: toolResultBlock,
};

const ASSISTANT_BLOCKS: Readonly<Record<string, Check>> = {
  text: textBlock,
  tool_use: toolUseBlock,
  thinking: thinkingBlock,
  redacted_thinking: redactedThinkingBlock,
};

const KNOWN: ReadonlySet<string> = new Set([...Object.keys(USER_BLOCKS), ...Object.keys(ASSISTANT_BLOCKS)]);

export const systemContent = content({ text: textBlock });

const message = tagged(
  'role',
  {
    user: shape({ content: required(content(USER_BLOCKS)) }),
    assistant: shape({ content: required(content(ASSISTANT_BLOCKS)) }),
    system: shape({ content: nullable(systemContent) }),
  },
  'a message',
);

export const messages = list(message, 'a non-empty list of messages', 1);

/** Blocks of unknown types are valid, as native targets may know them. */
function content(blocks: Readonly<Record<string, Check>>): Check {
  return textOr(
    list(
      tagged('type', blocks, 'a content block', (type) => !KNOWN.has(type)),
      'a list of content blocks',
    ),
  );
}
