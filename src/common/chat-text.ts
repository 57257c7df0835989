const ZERO_WIDTH_SPACE = '\u200b';

/** `@everyone` (Discord), `@here` and `@channel` (Slack), `@all` (Mattermost), also as the host of an e-mail address. */
const MENTION = /@(?=everyone|here|channel|all\b)|(?<![\w.+-])@/gi;

/** A template that escapes its values for chat, so that names chosen by users cause no mentions or links. */
export function chatText(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(escaped));
}

/**
 * Keeps the text readable in any markup: Slack uses `<…>` for mentions and links, Markdown uses `[text](address)`, and
 * bare addresses become links. Slack shows `&lt;` as text.
 */
function escaped(text: string): string {
  return text
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('](', `]${ZERO_WIDTH_SPACE}(`)
    .replaceAll('://', `:${ZERO_WIDTH_SPACE}//`)
    .replace(MENTION, `@${ZERO_WIDTH_SPACE}`);
}
