import Blocks from 'icon:blocks';
import KeyRound from 'icon:key-round';
import ListTree from 'icon:list-tree';
import Users from 'icon:users';
import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import type { Icon } from '../icons/icon';
import { type Found, useFound } from '../kit/use-found';

const KINDS: readonly [Found['kind'], string, Icon][] = [
  ['request', 'Requests', ListTree],
  ['key', 'Keys', KeyRound],
  ['user', 'Users', Users],
  ['model', 'Models', Blocks],
];

/** The results for the text of the palette, by kind. */
export function useFoundActions(text: string): SpotlightActionGroupData[] {
  const { found } = useFound(text);
  const navigate = useNavigate();
  const go = ({ kind, id }: Found) => {
    if (kind === 'request') return navigate({ to: '/requests', search: { range: '30d', call: id } });
    if (kind === 'model') return navigate({ to: '/models/$', params: { _splat: id } });
    if (kind === 'user') return navigate({ to: '/users/$id', params: { id } });
    return navigate({ to: '/keys/$id', params: { id } });
  };
  return KINDS.map(([kind, group, Icon]) => ({
    group,
    actions: found
      .filter((one) => one.kind === kind)
      .map((one) => ({
        id: `${kind} ${one.id}`,
        label: one.label,
        description: one.detail === one.label ? undefined : one.detail,
        // The gateway has found it, so that the palette's own search must not leave it out.
        keywords: text,
        leftSection: <Icon size={17} aria-hidden="true" />,
        onClick: () => void go(one),
      })),
  })).filter(({ actions }) => actions.length > 0);
}
