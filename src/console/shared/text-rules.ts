/** A single line of text. */
export const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u;
