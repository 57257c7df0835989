/** The words of a search, as patterns of LIKE: each has to be found. */
export function searchPatterns(text: string): string[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `%${escapeLike(word)}%`);
}

/** Whether a text holds a pattern, in any case; letters of ASCII alone are told apart in half the time. */
export function holdsPattern(text: string, pattern: string, parameter: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of ASCII.
  return `${text} ILIKE ${parameter}${/^[\x00-\x7f]*$/.test(pattern) ? ' COLLATE "C"' : ''}`;
}

/** A text that LIKE takes for itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
