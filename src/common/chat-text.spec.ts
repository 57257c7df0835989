import { describe, expect, it } from '@jest/globals';
import { chatText } from './chat-text.js';

/** What Slack, Discord, Mattermost and Teams would make a mention or a link of. */
const MARKUP = /<[!@#]|<\w+[:>]|@(everyone|here|channel|all\b)|(^|[^\w.+-])@\w|\]\(|:\/\//i;

describe('a name in the text of an alert', () => {
  it.each([
    '<!everyone>',
    '<!subteam^S123|team>',
    '<@U123>',
    '<#C123>',
    '<https://evil.example|text>',
    '<at>Ada</at>',
    '[text](https://evil.example)',
    '![text](https://evil.example)',
    'https://evil.example/sign-in',
    '@channel',
    'x@here',
    '@Everyone',
    '@all',
    '@ada',
    '"@ada',
    'someone@everyone.example',
    '<@&123456789012345678>',
  ])('causes no mention or link: %s', (name) => {
    expect(name).toMatch(MARKUP);
    const text = chatText`The key "${name}" of ${name}.`;
    expect(text).not.toMatch(MARKUP);
    expect(text).not.toContain('<');
    expect(text).not.toContain('>');
  });

  it.each(['ada@example.com', 'laptop of Ada & Bob (50 %)', 'ci-2', 'allan@allianz.example'])(
    'stays unchanged if harmless: %s',
    (name) => {
      expect(chatText`The key "${name}".`).toBe(`The key "${name}".`);
    },
  );
});
