import { useSession } from '../../api/session';
import { TextLink } from '../../kit/links';
import type { CallDetail } from './requests-queries';

export function ModelLink({ id }: { id: string }) {
  return (
    <TextLink to="/models/$" params={{ _splat: id }} inherit>
      {id}
    </TextLink>
  );
}

/** The list of keys with only this one. An unknown key is nobody's. */
export function KeyLink({ call: { keyId, keyName, keyDisplay, userId } }: { call: CallDetail }) {
  const { user } = useSession();
  if (keyId === null) return keyDisplay ?? 'Unknown';
  const scope = userId === user.id ? 'mine' : 'all';
  return (
    <>
      <TextLink to="/keys" search={{ q: keyName, scope, status: 'all' }} inherit>
        {keyName}
      </TextLink>
      {keyDisplay && ` · ${keyDisplay}`}
    </>
  );
}

/** Administrators get to the user, others are the user themselves. */
export function UserLink({ call: { userId, userName } }: { call: CallDetail }) {
  const { user } = useSession();
  if (userId === null) return 'Unknown';
  if (user.role !== 'admin') return userName;
  return (
    <TextLink to="/users" search={{ q: userName }} inherit>
      {userName}
    </TextLink>
  );
}
