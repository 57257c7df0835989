import TriangleAlert from 'icon:triangle-alert';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { InheritedLimits } from '../../activity/inherited-limits';
import { mayAll, useSession } from '../../api/session';
import { CopyTextButton } from '../../kit/copy-button';
import { TextLink } from '../../kit/page';
import type { CallDetail } from './requests-queries';

const LIMITS = ['rate_limit_exceeded', 'insufficient_quota'];

/** Why a request was refused, what is left of the limit that refused it, where to change that, and whom to ask. */
export function RefusalNote({ call }: { call: CallDetail }) {
  const { refusal, errorCode, keyId } = call;
  if (refusal === null) return null;
  const { sentence, scope, remedy } = refusal;
  const isOfLimit = LIMITS.includes(errorCode ?? '');
  return (
    <Alert color="gray" icon={<TriangleAlert size={17} aria-hidden />} title={sentence.replaceAll('`', '')}>
      <Stack gap="sm">
        {remedy && <Text size="sm">{remedy.replaceAll('`', '')}</Text>}
        {isOfLimit && keyId !== null && scope !== null && scope !== 'key' && (
          <InheritedLimits keyId={keyId} scope={scope} />
        )}
        <Group gap="md">
          <PlaceOfLimit call={call} />
          <CopyTextButton
            size="compact-sm"
            variant="default"
            value={requestTo(call, sentence)}
            label="Copy a message to an administrator"
          />
        </Group>
      </Stack>
    </Alert>
  );
}

/** Where the limit or list is set, as far as the person can see it. */
function PlaceOfLimit({ call: { refusal, keyId, project, userId, errorCode } }: { call: CallDetail }) {
  const session = useSession();
  const scope = refusal?.scope ?? null;
  if (scope === 'key' && keyId !== null) {
    return (
      <TextLink to="/keys/$id" params={{ id: keyId }} size="sm">
        Open the key
      </TextLink>
    );
  }
  if (scope === 'project' && project !== null) {
    return (
      <TextLink to="/projects/$id" params={{ id: project.id }} size="sm">
        Open the project {project.name}
      </TextLink>
    );
  }
  if ((scope === 'plan' || scope === 'user') && mayAll(session, 'users.read') && userId !== null && project === null) {
    return (
      <TextLink to="/users/$id" params={{ id: userId }} size="sm">
        Open the user
      </TextLink>
    );
  }
  if (scope === 'plan' || scope === 'user') {
    return (
      <TextLink to="/" size="sm">
        Your plan and limits
      </TextLink>
    );
  }
  return errorCode === 'model_not_found' ? (
    <TextLink to="/models" size="sm">
      Models that you can use
    </TextLink>
  ) : null;
}

function requestTo({ requestId, keyName, keyDisplay, model, refusal }: CallDetail, sentence: string): string {
  const of = refusal?.scope ? ` (${refusal.scope})` : '';
  return `My request was refused: ${sentence}${of}\nModel: ${model || 'none'}\nKey: ${keyName}${keyDisplay ? `, ${keyDisplay}` : ''}\nRequest: ${window.location.origin}/requests?scope=all&range=30d&call=${requestId}`;
}
