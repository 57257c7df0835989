/** The content of an answer, streamed or whole, in one comparable form. */
export interface Answer {
  choices: Record<number, AnswerChoice>;
  usage: AnswerUsage | null;
}

export interface AnswerChoice {
  content: string;
  reasoning: string;
  refusal: string;
  toolCalls: { id: string; name: string; arguments: string }[];
  functionCall: { name: string; arguments: string } | null;
  finish: string | null;
}

export interface AnswerUsage {
  prompt: number;
  completion: number;
  total: number;
  cached: number;
  reasoning: number;
}

export function emptyChoice(): AnswerChoice {
  return { content: '', reasoning: '', refusal: '', toolCalls: [], functionCall: null, finish: null };
}
