import { isApiKey } from '../../auth/api-key.secret.js';
import { asciiSet, type Detector, type Match, startOfEnd, withoutOverlaps } from './detector.js';

interface Form {
  readonly kind: string;
  /** What stands before the secret, and is not part of it. */
  readonly after?: RegExp;
  /** Forms that can begin with any letter are searched only in texts that match this. */
  readonly mark?: RegExp;
  readonly secret: RegExp;
  readonly accepts?: (secret: string) => boolean;
}

/**
 * The forms that providers publish for secret scanners. Each begins with characters that are rare in other text, and
 * each repetition is bounded or ends at the next possible beginning, so that the search is linear.
 */
const FORMS: readonly Form[] = [
  { kind: 'an AWS access key', secret: /(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])/ },
  {
    kind: 'an AWS secret key',
    mark: /[sS](?:ecret|ECRET)_?[aA](?:ccess|CCESS)_?[kK](?:ey|EY)/,
    after: /(?:aws|AWS)?_?[sS](?:ecret|ECRET)_?[aA](?:ccess|CCESS)_?[kK](?:ey|EY)["']?\s{0,4}[:=]\s{0,4}["']?/,
    secret: /[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/,
  },
  { kind: 'a Google API key', secret: /AIza[\w-]{35}(?![\w-])/ },
  { kind: 'a Google OAuth token', secret: /ya29\.[\w-]{30,200}/ },
  { kind: 'a Google OAuth client secret', secret: /GOCSPX-[\w-]{28}(?![\w-])/ },
  { kind: 'an Azure storage key', after: /AccountKey=/, secret: /[A-Za-z0-9/+]{86}==/ },
  { kind: 'an Azure client secret', mark: /Q~/, secret: /[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/ },
  {
    kind: 'a GitHub token',
    secret: /gh[pousr]_[A-Za-z0-9]{36,251}(?![A-Za-z0-9])|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/,
  },
  { kind: 'a GitLab token', secret: /gl(?:pat|dt|rt|ptt|soat|cbt|ft|agent)-[\w-]{20,64}/ },
  {
    kind: 'a Slack token',
    secret: /xox[abeoprs]-(?:\d-)?[A-Za-z0-9-]{10,200}|xapp-\d-[A-Z0-9]{5,20}-\d{5,20}-[a-f0-9]{20,100}/,
  },
  { kind: 'a Slack webhook', secret: /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/]{30,120}/ },
  { kind: 'a Stripe key', secret: /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{20,200}|whsec_[A-Za-z0-9+/=]{24,100}/ },
  { kind: 'an Anthropic key', secret: /sk-ant-(?:api|admin|oat|sid)\d\d-[\w-]{20,200}/ },
  {
    kind: 'an OpenAI key',
    secret:
      /sk-(?:(?:proj|svcacct|admin)-[\w-]{20,200}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|[A-Za-z0-9]{48}(?![A-Za-z0-9]))/,
  },
  { kind: 'a key of this gateway', secret: /svc_[A-Za-z0-9]{36,120}(?![A-Za-z0-9])/, accepts: isApiKey },
  { kind: 'an access token of this gateway', secret: /gat_[A-Za-z0-9]{40}(?![A-Za-z0-9])/ },
  {
    kind: 'a private key',
    secret:
      /-----BEGIN (?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----)){0,8192}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]{16,8192})/,
  },
  { kind: 'a JSON Web Token', secret: /(?<!-)eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}(?:\.[\w-]{0,2000})?/ },
  {
    kind: 'a password in a connection string',
    mark: /:\/\/[^\s:@/"'<>`]{0,64}:[^\s@/"'<>`]{3,128}@/,
    after: /[a-z][a-z0-9+]{1,20}:\/\/[^\s:@/"'<>`]{0,64}:/,
    secret: /(?![${<*]|%[sd]@|x{3,}@|(?:password|pass|pwd|secret)@)[^\s@/"'<>`]{3,128}(?=@[\w[])/,
  },
];

/** How secrets of all forms without a mark begin: this is searched many times faster than the forms are. */
const BEGINNING =
  'A(?:KI|SI|BI|CC)A|AIza|ya29\\.|GOCSPX-|AccountKey=|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox|xapp-|hooks\\.slack|' +
  '[sr]k[-_]|whsec_|svc_|gat_|eyJ';
const ANY_BEGINNING = new RegExp(`${BEGINNING}|-----BEGIN `);

const TOKEN = asciiSet(/[^\s"'`<>]/);
const START = '(?<![A-Za-z0-9_])';
const UNMARKED = FORMS.filter(({ mark }) => !mark);
const MARKED = FORMS.filter(({ mark }) => mark);
const ANY_UNMARKED = new RegExp(`${START}(?:${UNMARKED.map(({ secret }) => secret.source).join('|')})`, 'g');
const EXACT = new Map(
  FORMS.map((form) => [form, new RegExp(`${START}(${form.after?.source ?? ''})(?:${form.secret.source})`, 'y')]),
);
const SEARCH = new Map(MARKED.map((form) => [form, new RegExp((EXACT.get(form) as RegExp).source, 'g')]));

const BEGUN = new RegExp(`^(?:${BEGINNING}|.*://[^@]*:)|Q~`);
const OPEN_PRIVATE_KEY =
  /-----(?:B[A-Z0-9 ]{0,44}(?:-{0,4}|-----[A-Za-z0-9+/=\s\\]{0,15}(?:-{1,5}[A-Z0-9 ]{0,44}-{0,5})?))?$/;

export const credentials: Detector = {
  name: 'credentials',
  longest: 2048,
  find(text) {
    const matches: Match[] = [];
    if (ANY_BEGINNING.test(text)) {
      for (const { index } of text.matchAll(ANY_UNMARKED)) add(matches, UNMARKED, text, index);
    }
    for (const [form, expression] of SEARCH) {
      if (form.mark?.test(text) === false) continue;
      for (const { index } of text.matchAll(expression)) add(matches, [form], text, index);
    }
    return withoutOverlaps(matches);
  },
  openFrom(text, isQuiet) {
    const end = text.slice(-256);
    const key = end.search(OPEN_PRIVATE_KEY);
    if (key !== -1) return text.length - end.length + key;
    const token = startOfEnd(text, 256, TOKEN, true);
    return isQuiet && !BEGUN.test(text.slice(token)) ? text.length : token;
  },
};

function add(matches: Match[], forms: readonly Form[], text: string, index: number): void {
  for (const form of forms) {
    const expression = EXACT.get(form) as RegExp;
    expression.lastIndex = index;
    const found = expression.exec(text);
    if (!found) continue;
    const start = index + (found[1] as string).length;
    const end = index + found[0].length;
    if (form.accepts && !form.accepts(text.slice(start, end))) continue;
    matches.push({ start, end, kind: form.kind });
    return;
  }
}
