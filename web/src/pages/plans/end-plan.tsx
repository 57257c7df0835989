import { ConfirmDialog } from '../../kit/confirm-dialog';
import { notifyDone } from '../../kit/notify';
import { userLabel } from '../../kit/user-label';
import { endPlan, type PlanHolder } from './plans-api';

export function EndPlan({ holder, onClose }: { holder: PlanHolder | null; onClose: () => void }) {
  const end = async () => {
    if (!holder) return;
    await endPlan(holder.userId);
    notifyDone(`The plan of ${userLabel(holder)} has ended`);
  };
  return (
    <ConfirmDialog
      opened={holder !== null}
      onClose={onClose}
      title="End the plan now?"
      confirmLabel="End plan"
      isDangerous
      onConfirm={end}
    >
      <strong>{holder && userLabel(holder)}</strong> is back on the default plan within a second; the keys keep working
      for its models. Scheduled grants end, too.
    </ConfirmDialog>
  );
}
