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

/** A link to the key's page. An unknown key has none. */
export function KeyLink({ call: { keyId, keyName, keyDisplay } }: { call: CallDetail }) {
  if (keyId === null) return keyDisplay ?? 'Unknown';
  return (
    <>
      <TextLink to="/keys/$id" params={{ id: keyId }} inherit>
        {keyName}
      </TextLink>
      {keyDisplay && ` · ${keyDisplay}`}
    </>
  );
}

export function ProjectLink({ project: { id, name } }: { project: NonNullable<CallDetail['project']> }) {
  return (
    <TextLink to="/projects/$id" params={{ id }} inherit>
      {name}
    </TextLink>
  );
}

/** Administrators get to the user, others are the user themselves. */
export function UserLink({ call: { userId, userName } }: { call: CallDetail }) {
  const { user } = useSession();
  if (userId === null) return 'Unknown';
  if (user.role !== 'admin') return userName;
  return (
    <TextLink to="/users/$id" params={{ id: userId }} inherit>
      {userName}
    </TextLink>
  );
}
