import { formatNumber } from './numbers';

export const NO_PRICE = 'No price: its calls count as $0';

export function unpricedText(calls: number): string {
  return calls === 1
    ? '1 call of a model without a price is not part of this cost, and no budget covers it.'
    : `${formatNumber(calls)} calls of models without a price are not part of this cost, and no budget covers them.`;
}
