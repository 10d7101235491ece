import { addDays, countDays } from '../components/days.ts';

export const presets = ['30', '90', '365'] as const;
export type Preset = (typeof presets)[number];

export const presetLabels: Record<Preset, string> = { '30': '30 days', '90': '90 days', '365': 'Year' };

const daysMax = 3_660;

export interface WantedRange {
  days: Preset;
  since: string;
  until: string;
}

export interface ChosenRange {
  since: string;
  until: string;
  /** Undefined where the reader chose the days in the calendar. */
  preset: Preset | undefined;
}

/** The range that the address asks for. Days that make no range, or too long a one, give way to the preset. */
export function chooseRange({ days, since, until }: WantedRange, today: string): ChosenRange {
  if (since !== '' && until !== '' && since <= until && countDays(since, until) <= daysMax) {
    return { since, until, preset: undefined };
  }
  return { since: addDays(today, 1 - Number(days)), until: today, preset: days };
}
