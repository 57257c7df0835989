import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type LinkAttributes<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> };

/** A link to another page that looks like a button. */
export const ButtonLink = createLink((props: LinkAttributes<ButtonProps>) => <Button component="a" {...props} />);

/** A link to another page within text. */
export const TextLink = createLink((props: LinkAttributes<AnchorProps>) => <Anchor {...props} />);
