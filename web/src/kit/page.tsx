import ArrowLeft from 'icon:arrow-left';
import {
  Alert,
  Anchor,
  type AnchorProps,
  Box,
  Button,
  type ButtonProps,
  Group,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import {
  type AnchorHTMLAttributes,
  type CSSProperties,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useRef,
} from 'react';
import classes from './kit.module.css';
import type { SearchParams } from './search-params';
import { useAddressFaults, useUrlValues } from './url-state';

let pages = 0;

/** True for the first page that the browser opened: the focus stays where the browser put it. */
export function isFirstPage(): boolean {
  pages += 1;
  return pages <= (import.meta.env.DEV ? 2 : 1);
}

type LinkAttributes<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> };

/** A link to another page that looks like a button. */
export const ButtonLink = createLink((props: LinkAttributes<ButtonProps>) => <Button component="a" {...props} />);

/** A link to another page within text. */
export const TextLink = createLink((props: LinkAttributes<AnchorProps>) => <Anchor {...props} />);

interface PageProps {
  title: string;
  /** One sentence about the purpose of the page. */
  description?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** Shown before the title, for example a link back. */
  before?: ReactNode;
  children: ReactNode;
}

/** Names the values of the address that the page ignores, and removes them on a click. */
function AddressNote({ faults }: { faults: SearchParams }) {
  const [, change] = useUrlValues();
  const names = Object.keys(faults);
  const shown = names.map((name) => `${name}=${faults[name]}`).join(', ');
  return (
    <Alert color="yellow" mb="md" role="status" title="This link has a value that is not known here">
      <Group justify="space-between" gap="xs">
        <Text size="sm" className={classes.id}>
          Ignored: {shown}. It may be mistyped, or it may no longer exist.
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          Remove it from the link
        </Button>
      </Group>
    </Alert>
  );
}

/** A page of the console: sets the document's title, has the h1, and focuses it after navigation. */
export function Page({ title, description, actions, before, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const faults = useAddressFaults();
  useEffect(() => {
    document.title = `${title} · Gateway`;
  }, [title]);
  useEffect(() => {
    if (!isFirstPage()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Box className={classes.page}>
      {before}
      <Group justify="space-between" align="flex-start" gap="md" wrap="wrap" mb="lg">
        <Stack gap={4} className={classes.heading}>
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="md" maw={680} component="div">
              {description}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {Object.keys(faults).length > 0 && <AddressNote faults={faults} />}
      {children}
    </Box>
  );
}

/** A link from an item to its list. */
export function BackLink({ to, children }: { to: '/keys' | '/models' | '/projects' | '/users'; children: string }) {
  return (
    <TextLink to={to} size="sm" className={classes.back}>
      <ArrowLeft size={14} aria-hidden="true" />
      {children}
    </TextLink>
  );
}

interface GridProps {
  /** The number of columns, from a width of the window on. */
  cols: { base: number; xs?: number; sm?: number; md?: number; lg?: number };
  gap: 'sm' | 'md' | 'lg';
  className?: string;
  children: ReactNode;
}

/** Columns of the same width. Mantine's grid writes a style element for each one on the page. */
export function Grid({ cols, gap, className = '', children }: GridProps) {
  const { base, xs = base, sm = xs, md = sm, lg = md } = cols;
  const style = {
    '--xs': xs,
    '--sm': sm,
    '--md': md,
    '--lg': lg,
    '--base': base,
    gap: `var(--mantine-spacing-${gap})`,
  };
  return (
    <div className={`${classes.grid} ${className}`} style={style as CSSProperties}>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  /** At the right of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a page with its heading. */
export function Section({ title, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} size="h2" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </section>
  );
}
