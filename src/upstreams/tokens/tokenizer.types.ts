/** Messages of the tokenizer thread. */
export interface TokenizerQuestion {
  id: number;
  wanted: 'count' | 'pieces';
  text: string;
}

export interface TokenizerAnswer {
  id: number;
  value: number | string[];
}
