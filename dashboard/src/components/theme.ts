import { t } from '@lingui/core/macro';
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { mono, sans } from './font-families.ts';
import { lazily } from './lazily.ts';
import classes from './theme.module.css';

const spruce: MantineColorsTuple = [
  '#edf7f2',
  '#d9ebe2',
  '#b2d6c5',
  '#87c0a5',
  '#63ad8a',
  '#4aa178',
  '#2f8a63',
  '#1f7350',
  '#165c3f',
  '#0b442d',
];

const dark: MantineColorsTuple = [
  '#d5dbd8',
  '#b6beba',
  '#98a29d',
  '#6b7571',
  '#3d4643',
  '#303835',
  '#222927',
  '#171c1a',
  '#121614',
  '#0c0f0e',
];

export const theme = lazily(() =>
  createTheme({
    colors: { spruce, dark },
    primaryColor: 'spruce',
    primaryShade: 7,
    fontFamily: sans,
    fontFamilyMonospace: mono,
    headings: { fontFamily: sans, fontWeight: '650' },
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      // Plain objects instead of the components' `extend` helpers, so that the first page need not load the components.
      // Mantine's scroll area is as wide as its widest option, which makes the page wider than a phone.
      Autocomplete: {
        defaultProps: { withScrollArea: false },
        classNames: { dropdown: classes.options ?? '', option: classes.option ?? '' },
      },
      Modal: {
        defaultProps: { padding: 'lg', closeButtonProps: { 'aria-label': t`Close` } },
        classNames: { content: classes.dialog ?? '', title: classes.dialogTitle ?? '' },
      },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': t`Dismiss` } } },
    },
  }),
);

// Mantine's dimmed and placeholder greys lack the 4.5:1 contrast that small text needs.
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': 'var(--gb-page)',
    '--mantine-color-text': 'var(--gb-text)',
    '--mantine-color-dimmed': 'var(--gb-muted)',
    '--mantine-color-placeholder': 'var(--gb-muted)',
    '--mantine-color-error': 'var(--gb-danger)',
    '--mantine-color-anchor': 'var(--gb-accent)',
  },
  dark: {
    '--mantine-color-body': 'var(--gb-page)',
    '--mantine-color-text': 'var(--gb-text)',
    '--mantine-color-dimmed': 'var(--gb-muted)',
    '--mantine-color-placeholder': 'var(--gb-muted)',
    '--mantine-color-error': 'var(--gb-danger)',
    '--mantine-color-anchor': 'var(--gb-accent)',
    // The text of quiet buttons, which Mantine makes almost white.
    '--mantine-color-spruce-light-color': 'var(--gb-accent)',
  },
});
