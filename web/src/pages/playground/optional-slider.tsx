import { Button, Group, Slider, Stack, Text } from '@mantine/core';
import classes from './playground.module.css';

interface OptionalSliderProps {
  label: string;
  hint: string;
  value: number | null;
  max: number;
  step: number;
  /** The thumb's position while the model's default applies. */
  rest: number;
  onChange: (value: number | null) => void;
}

/** A number that has the model's default until the person moves the thumb. */
export function OptionalSlider({ label, hint, value, max, step, rest, onChange }: OptionalSliderProps) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" h={24}>
        <Text size="sm" fw={500} title={hint}>
          {label}
        </Text>
        {value === null ? (
          <Text size="xs" c="dimmed">
            Model's default
          </Text>
        ) : (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-label={`${label} ${value}: use the model's default`}
            onClick={() => onChange(null)}
          >
            {value} ✕
          </Button>
        )}
      </Group>
      <Slider
        thumbLabel={label}
        size="sm"
        label={value === null ? null : undefined}
        min={0}
        max={max}
        step={step}
        value={value ?? rest}
        className={value === null ? classes.atRest : undefined}
        color={value === null ? 'gray' : undefined}
        onChange={onChange}
      />
    </Stack>
  );
}
