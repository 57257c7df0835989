/** Text of one line. */
export const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u;
