/** The beginning of a content block. */
export type BlockStart =
  | { readonly type: 'text' | 'thinking' }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string };

/** Writes the content of an answer, one block at a time. */
export interface BlockWriter {
  open(block: BlockStart): void;
  /** More text, thinking or input of the open block. */
  add(text: string): void;
  /** `signature`: of a thinking block. */
  close(signature?: string): void;
}
