import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The accent color. Shade 6 has white text in the light theme, shade 5 in the dark one. */
const iris: MantineColorsTuple = [
  '#f1f3ff',
  '#e1e6ff',
  '#c3ccff',
  '#a1aeff',
  '#8090fa',
  '#5765ea',
  '#4353e0',
  '#3644c4',
  '#2c389e',
  '#252f7d',
];

const gray: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f3f6',
  '#e5e8ed',
  '#d5dae1',
  '#b3bac5',
  '#8b94a3',
  '#5f6878',
  '#444c5a',
  '#272d38',
  '#12161d',
];

const red: MantineColorsTuple = [
  '#fff1f1',
  '#ffe0e0',
  '#ffc2c3',
  '#ff9a9c',
  '#f4696d',
  '#d6343a',
  '#d3292f',
  '#b01f26',
  '#8e1b21',
  '#6f151a',
];

const dark: MantineColorsTuple = [
  '#e3e6eb',
  '#b9bfc9',
  '#959daa',
  '#68707e',
  '#2c323c',
  '#21262e',
  '#181c22',
  '#101317',
  '#0b0d10',
  '#07080a',
];

/** A dialog's `<header>` is not the banner of the page. */
const DIALOG_HEADER = { header: { role: 'presentation' } };

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 5 },
  colors: { iris, gray, red, dark },
  black: gray[9],
  autoContrast: false,
  fontFamily:
    "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.5' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } },
    Anchor: { defaultProps: { underline: 'always' } },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 },
      styles: { root: { flexShrink: 0 } },
    },
    Button: { defaultProps: { size: 'sm' } },
    Card: { defaultProps: { withBorder: true, radius: 'lg', padding: 'lg' } },
    Drawer: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: DIALOG_HEADER,
        position: 'right',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.35 },
      },
      styles: { title: { fontWeight: 600, fontSize: '1rem', overflowWrap: 'anywhere' } },
    },
    Menu: {
      defaultProps: { shadow: 'md', withinPortal: true, position: 'bottom-end', withInitialFocusPlaceholder: false },
    },
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: DIALOG_HEADER,
        padding: 'lg',
        radius: 'lg',
        centered: true,
        overlayProps: { backgroundOpacity: 0.4 },
      },
      styles: { title: { fontWeight: 600, fontSize: '1rem' } },
    },
    Paper: { defaultProps: { withBorder: true, radius: 'lg' } },
    Select: { defaultProps: { checkIconPosition: 'right' } },
    Tooltip: { defaultProps: { withArrow: false, openDelay: 250, transitionProps: { duration: 100 } } },
  },
});

/** Colors that differ from Mantine's, for each scheme; text on them has a contrast of at least 4.5 to 1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': gray[9],
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-placeholder': '#6c7585',
    '--mantine-color-anchor': iris[6],
    '--mantine-color-default-border': gray[2],
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-red-light-color': red[7],
    '--console-surface': gray[0],
    '--console-border': gray[2],
    '--console-hover': gray[1],
    '--console-skeleton': '#e9ecf1',
    '--console-good': '#0a7a4b',
    '--console-warn': '#9a5b00',
    '--console-bad': '#c2262d',
    '--console-accent': iris[6],
    '--console-accent-soft': iris[0],
  },
  dark: {
    '--mantine-color-text': dark[0],
    '--mantine-color-body': dark[7],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': '#868e9b',
    '--mantine-color-anchor': iris[3],
    '--mantine-color-default': dark[6],
    '--mantine-color-default-hover': dark[5],
    '--mantine-color-default-border': '#2c323c',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-red-light-color': red[3],
    '--mantine-color-iris-light': '#262d5a',
    '--mantine-color-iris-light-hover': '#2d356a',
    '--mantine-color-iris-light-color': iris[2],
    '--mantine-color-gray-light': dark[4],
    '--mantine-color-gray-light-hover': '#343b46',
    '--mantine-color-gray-light-color': dark[0],
    '--mantine-color-disabled': '#262b34',
    '--mantine-color-disabled-color': '#8b93a0',
    '--console-surface': dark[8],
    '--console-border': '#252a33',
    '--console-hover': dark[6],
    '--console-skeleton': '#232830',
    '--console-good': '#4cc38a',
    '--console-warn': '#f0b049',
    '--console-bad': '#ff8a8a',
    '--console-accent': iris[3],
    '--console-accent-soft': '#1d2240',
  },
});
