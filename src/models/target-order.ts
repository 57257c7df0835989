import type { ModelSettings, TargetSettings } from '../config/models.settings.js';

/** Prompts are usually longer than answers, so the input price counts three times. */
const INPUT_WEIGHT = 3;

/** The targets in the order of the model's strategy; the lowest priority is tried first. */
export function inOrder({ strategy, targets }: Pick<ModelSettings, 'strategy' | 'targets'>): TargetSettings[] {
  return (strategy === 'cheapest' ? byCost(targets) : [...targets]).sort((a, b) => a.priority - b.priority);
}

/** Targets of equal cost keep the order of their own priorities. */
function byCost(targets: readonly TargetSettings[]): TargetSettings[] {
  const sorted = [...targets].sort((a, b) => costOf(a) - costOf(b) || a.priority - b.priority);
  let place = 0;
  return sorted.map((target, index) => {
    const before = sorted[index - 1];
    const isEqual = before && costOf(before) === costOf(target) && before.priority === target.priority;
    if (!isEqual) place++;
    return { ...target, priority: place };
  });
}

function costOf({ cost }: TargetSettings): number {
  return cost ? cost.inputUsdPerMTok * INPUT_WEIGHT + cost.outputUsdPerMTok : 0;
}
