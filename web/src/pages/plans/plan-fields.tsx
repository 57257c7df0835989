import { Checkbox, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../api/lists';
import { Fold } from '../../kit/fold';
import { LimitFields } from '../../kit/limit-fields';
import { LIMIT_NAMES } from '../../kit/limits';
import { formatNumber } from '../../kit/numbers';
import type { PlanForm } from './plan-form';
import classes from './plans.module.css';
import type { PlanView, TierView } from './plans-api';

const LIMITS = LIMIT_NAMES.filter((name) => name !== 'budgetTotalUsd');

interface PlanFieldsProps {
  form: PlanForm;
  /** Null for a new plan. */
  plan: PlanView | null;
  tiers: readonly TierView[];
}

export function PlanFields({ form, plan, tiers }: PlanFieldsProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const named = form.getInitialValues().namedModels;
  return (
    <>
      {!plan && (
        <TextInput
          label="Id"
          description="Used by the command line and single sign-on; it cannot be changed later"
          maxLength={40}
          autoComplete="off"
          data-autofocus
          required
          {...form.getInputProps('id')}
        />
      )}
      <TextInput label="Name" maxLength={40} data-autofocus={plan !== null} required {...form.getInputProps('name')} />
      <Checkbox.Group label="Tiers" description="Models of these tiers can be called" {...form.getInputProps('tiers')}>
        <Stack gap="xs" mt="xs">
          {tiers.map(({ id, models: count }) => (
            <Checkbox
              key={id}
              value={id}
              className={classes.choice}
              label={id}
              description={count === 1 ? '1 model' : `${formatNumber(count)} models`}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <MultiSelect
        label="Additional models"
        description="Also included, whatever their tier"
        placeholder={form.values.namedModels.length === 0 ? 'None' : undefined}
        data={[...new Set([...models.map(({ id }) => id), ...named])]}
        searchable
        hidePickedOptions
        nothingFoundMessage="No such model"
        {...form.getInputProps('namedModels')}
      />
      <Fold
        label="Limits and budgets of each user"
        isOpenAtFirst={Object.values(form.getInitialValues().limits).some((text) => text !== '')}
        hasError={Object.keys(form.errors).some((path) => path.startsWith('limits.'))}
      >
        <Stack gap="sm" pt="sm">
          <LimitFields names={LIMITS} inputProps={(name) => form.getInputProps(`limits.${name}`)} />
        </Stack>
      </Fold>
      {!plan?.isDefault && (
        <TextInput
          label="Rank"
          description="If a user has several plans, the one with the highest rank applies"
          placeholder="Above all other plans"
          inputMode="numeric"
          maxLength={7}
          autoComplete="off"
          {...form.getInputProps('rank')}
        />
      )}
    </>
  );
}
