/** What the tokenizer's thread is asked, and how it answers. */
export interface TokenizerQuestion {
  id: number;
  wanted: 'count' | 'pieces';
  text: string;
}

export interface TokenizerAnswer {
  id: number;
  value: number | string[];
}
