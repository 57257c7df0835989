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

/** An API key or access token, but not the display form `svc_ab12…9xYz`. */
const KEY_TEXT = /(svc|gat)_(?!\w{4}…\w{4}\b)\w+/g;

/** Shortened and without API keys. */
export function sanitized(text: string | null, longest: number): string | null {
  return text === null ? null : text.replaceAll('\0', '').replace(KEY_TEXT, '$1_…').slice(0, longest).toWellFormed();
}

const AMOUNT = /^(\d{1,12})(?:\.(\d{1,9}))?$/;
const NANODOLLARS = 1_000_000_000n;

export function toNanodollars(usd: string): bigint | null {
  const [, whole, fraction = ''] = AMOUNT.exec(usd) ?? [];
  return whole === undefined ? null : BigInt(whole) * NANODOLLARS + BigInt(fraction.padEnd(9, '0'));
}

/** Dollars in their shortest form: `20`, `0.5`. */
export function toUsd(nanodollars: bigint): string {
  const fraction = String(nanodollars % NANODOLLARS)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanodollars / NANODOLLARS}${fraction && `.${fraction}`}`;
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** An ISO 8601 date or time, in UTC by default; null for other text. */
export function toInstant(text: string): Date | null {
  const [, day = '', time = '00:00', zone = 'Z'] = ISO_DATE.exec(text) ?? [];
  const date = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(date.getTime()) || !isDayOfCalendar(day) ? null : date;
}

/** `Date` reads 30 February as 2 March. */
function isDayOfCalendar(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 1024;
