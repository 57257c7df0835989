const ZERO_WIDTH_SPACE = '\u200b';

/** `@everyone` of Discord, `@here` and `@channel` of Slack, `@all` of Mattermost, also as the host of an e-mail address. */
const MENTION = /@(?=everyone|here|channel|all\b)|(?<![\w.+-])@/gi;

/** A template whose values are escaped for chat: names that people chose neither mention anybody nor become links. */
export function chatText(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(escaped));
}

/**
 * Reads the same, whatever the channel's markup: Slack has its mentions and links in `<…>`, Markdown has `[text](address)`,
 * and an address alone becomes a link. What Slack decodes (`&lt;`) it shows as text.
 */
function escaped(text: string): string {
  return text
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('](', `]${ZERO_WIDTH_SPACE}(`)
    .replaceAll('://', `:${ZERO_WIDTH_SPACE}//`)
    .replace(MENTION, `@${ZERO_WIDTH_SPACE}`);
}
