/** Consecutive content of one role; never empty. */
export interface Turn<Block> {
  role: 'user' | 'assistant';
  content: Block[];
}

/** Placeholders for missing user messages at the start and the end. */
export const OPENING = 'Begin.';
const CLOSING = 'Continue.';

/** Builds a conversation whose roles alternate. */
export class Turns<Block> {
  protected readonly list: Turn<Block>[] = [];

  constructor(
    private readonly toBlock: (text: string) => Block,
    protected readonly isResult: (block: Block) => boolean = () => false,
  ) {}

  add(role: Turn<Block>['role'], blocks: Block[]): void {
    if (blocks.length === 0) return;
    const last = this.list.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else this.list.push({ role, content: blocks });
  }

  /** Tool results come before other content of the user's turn. */
  addResult(result: Block): void {
    const last = this.list.at(-1);
    if (last?.role !== 'user') this.list.push({ role: 'user', content: [result] });
    else {
      const place = last.content.findIndex((block) => !this.isResult(block));
      last.content.splice(place < 0 ? last.content.length : place, 0, result);
    }
  }

  /**
   * All turns. The user's turn is first and, unless the answer is `prefilled`, last. If there are no turns, the system
   * text becomes the user's.
   */
  withSystem<System extends Block>(system: System[], prefilled = false): { system: System[]; turns: Turn<Block>[] } {
    const { list } = this;
    const saying = (text: string): Turn<Block> => ({ role: 'user', content: [this.toBlock(text)] });
    if (list.length === 0) {
      return { system: [], turns: [system.length > 0 ? { role: 'user', content: system } : saying(OPENING)] };
    }
    if (list[0]?.role !== 'user') list.unshift(saying(OPENING));
    if (list.at(-1)?.role !== 'user' && !prefilled) list.push(saying(CLOSING));
    return { system, turns: list };
  }
}
