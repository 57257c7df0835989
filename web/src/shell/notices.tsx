import Bell from 'icon:bell';
import Check from 'icon:check';
import { ActionIcon, Indicator, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type BudgetNotice, noticesQuery } from '../api/lists';
import { useSession } from '../api/session';
import { formatPercent, formatUsdTogether, plural } from '../kit/numbers';
import { DropMenu } from '../kit/on-demand';

/** Names a notice: it counts as new again in the next period, and once the budget is used up. */
function noticeName({ scope, id, period, resetsAt, amountUsd, spentUsd }: BudgetNotice): string {
  return [scope, id, period, resetsAt, spentUsd >= amountUsd].join(' ');
}

/** Budgets that are nearly spent: the person's own, and those of the projects that the person manages. */
export function Notices() {
  const { user } = useSession();
  const navigate = useNavigate();
  const { data: { items: notices } = { items: [] } } = useQuery(noticesQuery);
  const [seen, setSeen] = useLocalStorage<string[]>({ key: `console-notices ${user.id}`, defaultValue: [] });
  if (notices.length === 0) return null;
  const unseen = notices.filter((one) => !seen.includes(noticeName(one))).length;
  const open = ({ scope, id, projectId }: BudgetNotice) => {
    if (projectId !== null) return navigate({ to: '/projects/$id', params: { id: projectId } });
    return scope === 'key' ? navigate({ to: '/keys/$id', params: { id } }) : navigate({ to: '/' });
  };
  return (
    <DropMenu
      width={320}
      target={
        <ActionIcon size="lg" aria-label={unseen > 0 ? plural(unseen, 'new notice') : plural(notices.length, 'notice')}>
          <Indicator label={unseen} disabled={unseen === 0} size={15} color="red">
            <Bell size={17} aria-hidden="true" />
          </Indicator>
        </ActionIcon>
      }
    >
      {(Menu) => (
        <>
          {notices.map((notice) => (
            <Menu.Item key={noticeName(notice)} onClick={() => open(notice)}>
              <Text size="sm">
                The budget of {notice.name} is {stateOfBudget(notice)}
              </Text>
              <Text size="xs" c="dimmed">
                {formatUsdTogether([notice.spentUsd, notice.amountUsd]).join(' of ')}
              </Text>
            </Menu.Item>
          ))}
          {unseen > 0 && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<Check size={15} aria-hidden />} onClick={() => setSeen(notices.map(noticeName))}>
                Mark as seen
              </Menu.Item>
            </>
          )}
        </>
      )}
    </DropMenu>
  );
}

function stateOfBudget({ spentUsd, amountUsd }: BudgetNotice): string {
  if (spentUsd >= amountUsd) return 'used up';
  return `${formatPercent(spentUsd / amountUsd)} spent`;
}
