import { readdir } from 'node:fs/promises';

const ASSETS = new URL('../../../dist/web/assets/', import.meta.url);

const fonts = [
  { family: 'Inter Variable', weight: '100 900', file: /^inter-latin-wght-normal-[\w-]+\.woff2$/ },
  { family: 'JetBrains Mono Variable', weight: '100 800', file: /^jetbrains-mono-latin-wght-normal-[\w-]+\.woff2$/ },
];

/** The rules that load the console's fonts from the files of its pages; empty if those are not built. */
export async function webFonts(): Promise<string> {
  const files = await readdir(ASSETS).catch(() => []);
  return fonts
    .map(({ family, weight, file }) =>
      rule(
        family,
        weight,
        files.find((name) => file.test(name)),
      ),
    )
    .join('');
}

function rule(family: string, weight: string, file: string | undefined): string {
  if (!file) return '';
  return `@font-face { font-family: "${family}"; font-style: normal; font-display: swap; font-weight: ${weight};
  src: url("/assets/${file}") format("woff2"); }
`;
}
