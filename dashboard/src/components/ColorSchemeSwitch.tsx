import { t } from '@lingui/core/macro';
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { Hint } from './Hint.tsx';

/** Follows the system until it is used; then the choice is stored in this browser. */
export function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const current = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const next = current === 'dark' ? 'light' : 'dark';
  const label = next === 'dark' ? t`Use the dark colour scheme` : t`Use the light colour scheme`;
  return (
    <Hint label={label}>
      {(target) => (
        <ActionIcon
          {...target}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={label}
          onClick={() => setColorScheme(next)}
        >
          {next === 'dark' ? <IconMoon size={18} stroke={1.7} /> : <IconSun size={18} stroke={1.7} />}
        </ActionIcon>
      )}
    </Hint>
  );
}
