import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ownLimitsQuery, userLimitsQuery } from '../../api/limits';
import { projectQuery } from '../../api/projects';
import { useSession } from '../../api/session';
import { Fold } from '../fold';
import { LimitFields } from '../limit-fields';
import { LIMIT_NAMES, limitTexts } from '../limits';
import type { KeyForm } from './key-form';
import type { KeyOwner } from './key-owner';

interface KeyLimitsFieldsProps {
  form: KeyForm;
  owner: KeyOwner;
}

/** The key's own limits, beside those of its owner for all keys. */
export function KeyLimitsFields({ form, owner }: KeyLimitsFieldsProps) {
  const isLimited = Object.values(form.getInitialValues().limits).some((text) => text !== '');
  const hasError = Object.keys(form.errors).some((path) => path.startsWith('limits.'));
  return (
    <Fold label="Limits and budgets" isOpenAtFirst={isLimited} hasError={hasError}>
      <Stack gap="sm" pt="sm">
        <OwnerLimits owner={owner} />
        <LimitFields names={LIMIT_NAMES} inputProps={(name) => form.getInputProps(`limits.${name}`)} />
      </Stack>
    </Fold>
  );
}

function OwnerLimits({ owner: { userId, projectId } }: { owner: KeyOwner }) {
  const isOwn = useSession().user.id === userId;
  const ofUser = useQuery({ ...(isOwn ? ownLimitsQuery : userLimitsQuery(userId)), enabled: projectId === null });
  const ofProject = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== null });
  const values = projectId === null ? ofUser.data?.values : ofProject.data?.limits.values;
  const texts = values ? limitTexts(values) : [];
  const keys = isOwn ? 'All your keys' : `All keys of the ${projectId === null ? 'owner' : 'project'}`;
  const whose = `${keys} together are limited to`;
  return (
    <Text size="sm" c="dimmed">
      For this key only; days and months are in UTC.
      {texts.length > 0 && ` ${whose} ${texts.join(', ')}.`}
    </Text>
  );
}
