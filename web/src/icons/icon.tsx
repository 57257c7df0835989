import type { ComponentType, SVGProps } from 'react';

interface IconProps extends SVGProps<SVGSVGElement> {
  /** Width and height in pixels. */
  size?: number;
}

/** Decorative and hidden from screen readers, because there is text beside it. */
export type Icon = ComponentType<IconProps>;

/** The component for an icon's shapes, which are given as SVG. The build calls this for each `icon:` import. */
export function iconOf(shapes: string): Icon {
  return ({ size = 24, color = 'currentColor', ...rest }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke={color}
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the shapes come from the package that the build reads
      dangerouslySetInnerHTML={{ __html: shapes }}
    />
  );
}
