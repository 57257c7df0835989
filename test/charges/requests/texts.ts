import type { Random } from '../../support/random.js';

const WORDS: Readonly<Record<string, readonly string[]>> = {
  english:
    `the harbour report describes a number of repairs that were put off because nobody could say who would pay for
    them and what should happen to the older boats in the meantime while winter storms made any work outside impossible`.split(
      /\s+/,
    ),
  german: `Die Übersicht zeigt alle Änderungen der vergangenen Woche einschließlich der Wartungsarbeiten an den
    Messgeräten sowie Rückmeldungen einzelner Abteilungen zur geplanten Umstellung`.split(/\s+/),
  russian: `в отчёте перечислены все изменения за прошлую неделю включая ремонт приборов и замечания отделов о
    планируемом переходе на новую систему`.split(/\s+/),
  chinese: '报告 列出 了 上周 的 所有 变更 包括 仪器 的 维修 以及 各 部门 的 意见 。'.split(' '),
  code: `const rows = await pool.query("SELECT id, total FROM orders WHERE paid_at IS NULL"); if (rows.length > 0) { return
    rows.map(({ id }) => id); } throw new RangeError(\`none of \${count}\`);`.split(/\s+/),
  numbers: '17.25 | 0.003 | 2026-11-22T14:05:09Z | 4711 | -12,5 % | 0x1f3a | 100000 |'.split(' '),
};
const KINDS = Object.keys(WORDS);

/** A text of about this number of characters, in one of several languages. */
export function textOf(random: Random, length: number): string {
  const kind = random.chance(0.6) ? 'english' : random.pick(KINDS);
  const words = WORDS[kind] ?? [];
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const word = random.pick(words);
    parts.push(word);
    size += word.length + 1;
  }
  return parts.join(' ');
}

/** Most prompts are short, some fill pages, and few are whole documents. */
export function promptLength(random: Random): number {
  const kind = random.next();
  if (kind < 0.75) return 40 + random.below(1500);
  if (kind < 0.97) return 1500 + random.below(8000);
  return kind < 0.997 ? 10_000 + random.below(40_000) : 100_000 + random.below(80_000);
}
