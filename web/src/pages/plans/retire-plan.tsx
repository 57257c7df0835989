import { ConfirmDialog } from '../../kit/confirm-dialog';
import { notifyDone } from '../../kit/notify';
import { type PlanView, updatePlan } from './plans-api';

interface RetirePlanProps {
  /** Null closes the dialog. */
  plan: PlanView | null;
  onClose: () => void;
}

/** Retires a plan for new users, or reinstates it. */
export function RetirePlan({ plan, onClose }: RetirePlanProps) {
  const isRetired = plan?.isRetired === true;
  const change = async () => {
    if (!plan) return;
    await updatePlan(plan.id, { retired: !isRetired });
    notifyDone(isRetired ? `Plan ${plan.name} was reinstated` : `Plan ${plan.name} is retired`);
  };
  return (
    <ConfirmDialog
      opened={plan !== null}
      onClose={onClose}
      title={isRetired ? `Reinstate plan ${plan.name}?` : `Retire plan ${plan?.name ?? ''}?`}
      confirmLabel={isRetired ? 'Reinstate' : 'Retire'}
      onConfirm={change}
    >
      {isRetired
        ? 'It can be granted to users again.'
        : 'New users cannot get it. Existing users keep it until it ends or you end it.'}
    </ConfirmDialog>
  );
}
