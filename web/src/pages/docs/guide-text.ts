/** A text of a guide, and the code below it in one or several languages. */
export interface GuidePart {
  readonly text: string;
  /** What the code is about: the heading above it. */
  readonly heading: string | undefined;
  readonly codes: readonly FencedCode[];
}

export interface FencedCode {
  /** What follows the fence: `sh`, `python`, `request /v1/embeddings`. */
  readonly language: string;
  readonly code: string;
}

/** A guide, split at its code; code blocks that follow each other are one, in several languages. */
export function guideParts(guide: string): GuidePart[] {
  const texts = guide.split(/((?:^```.+\n[\s\S]*?\n```$\s*)+)/m);
  let heading: string | undefined;
  return texts.flatMap((text, at) => {
    if (at % 2 === 1) return [];
    heading = [...text.matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? heading;
    const fences = (texts[at + 1] ?? '').matchAll(/^```(.+)\n([\s\S]*?)\n```$/gm);
    return [{ text, heading, codes: [...fences].map(([, language = '', code = '']) => ({ language, code })) }];
  });
}

/** The id of a heading in its page: `if-a-stream-breaks`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
