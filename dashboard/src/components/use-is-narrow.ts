import { useMediaQuery } from '@mantine/hooks';

/** True when a table does not fit beside the navigation, so that records are shown as cards. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false });
}

export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
}
