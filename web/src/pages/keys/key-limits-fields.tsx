import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ownLimitsQuery, userLimitsQuery } from '../../api/limits';
import { useSession } from '../../api/session';
import { Fold } from '../../kit/fold';
import { LimitFields } from '../../kit/limit-fields';
import { LIMIT_NAMES, limitTexts } from '../../kit/limits';
import type { KeyForm } from './key-form';

interface KeyLimitsFieldsProps {
  form: KeyForm;
  ownerId: string;
}

/** The key's own limits, beside those of its owner for all keys. */
export function KeyLimitsFields({ form, ownerId }: KeyLimitsFieldsProps) {
  const isLimited = Object.values(form.getInitialValues().limits).some((text) => text !== '');
  const hasError = Object.keys(form.errors).some((path) => path.startsWith('limits.'));
  return (
    <Fold label="Limits and budgets" isOpenAtFirst={isLimited} hasError={hasError}>
      <Stack gap="sm" pt="sm">
        <OwnerLimits ownerId={ownerId} />
        <LimitFields names={LIMIT_NAMES} inputProps={(name) => form.getInputProps(`limits.${name}`)} />
      </Stack>
    </Fold>
  );
}

function OwnerLimits({ ownerId }: { ownerId: string }) {
  const isOwn = useSession().user.id === ownerId;
  const { data } = useQuery(isOwn ? ownLimitsQuery : userLimitsQuery(ownerId));
  const texts = data ? limitTexts(data.values) : [];
  const whose = isOwn ? 'All your keys together are limited to' : 'All keys of the owner together are limited to';
  return (
    <Text size="sm" c="dimmed">
      For this key only; days and months are in UTC.
      {texts.length > 0 && ` ${whose} ${texts.join(', ')}.`}
    </Text>
  );
}
