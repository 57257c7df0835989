/** One LIKE pattern for each word; all must match. */
export function searchPatterns(text: string): string[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `%${escapeLike(word)}%`);
}

/** A case-insensitive match; with only ASCII letters, collation "C" takes half the time. */
export function holdsPattern(text: string, pattern: string, parameter: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of ASCII.
  return `${text} ILIKE ${parameter}${/^[\x00-\x7f]*$/.test(pattern) ? ' COLLATE "C"' : ''}`;
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
