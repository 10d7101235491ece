import { t } from '@lingui/core/macro';
import type { ApiKey, KeyLimits, KeySettings } from '../api/keys.ts';
import { plainAmount, typedAmount } from '../components/typed-amount.ts';
import type { RouteLimitValue } from './route-limits.ts';

const networksMax = 32;
const noteLengthMax = 1_000;

export interface SettingsValues {
  name: string;
  note: string;
  /** One per line. */
  networks: string;
  amountMax: string;
  withdrawnPerDayMax: string;
  routeLimits: RouteLimitValue[];
}

/** Of a new key: no restrictions. */
export const noSettings: SettingsValues = {
  name: '',
  note: '',
  networks: '',
  amountMax: '',
  withdrawnPerDayMax: '',
  routeLimits: [],
};

/** The fields that restrict a key. */
export const restrictionNames = ['amountMax', 'withdrawnPerDayMax', 'networks', 'routeLimits'] as const;

export function settingsValues({ name, note, networks, limits, routeLimits }: ApiKey): SettingsValues {
  return {
    name,
    note: note ?? '',
    networks: networks.join('\n'),
    amountMax: amountText(limits.amountMax),
    withdrawnPerDayMax: amountText(limits.withdrawnPerDayMax),
    routeLimits: routeLimits.map(({ limit, ...rest }) => ({ ...rest, limit: String(limit) })),
  };
}

export function toSettings(values: SettingsValues): KeySettings {
  const limits: KeyLimits = {
    amountMax: amountOf(values.amountMax),
    withdrawnPerDayMax: amountOf(values.withdrawnPerDayMax),
  };
  const note = values.note.trim();
  return {
    name: values.name.trim(),
    note: note === '' ? null : note,
    networks: networksOf(values.networks),
    limits,
    routeLimits: values.routeLimits.map(({ limit, ...rest }) => ({ ...rest, limit: Number(limit.trim()) })),
  };
}

/** One network per line; commas and spaces separate them too. */
export function networksOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

export function noteFault(note: string): string | null {
  return [...note.trim()].length > noteLengthMax ? t`At most ${noteLengthMax} characters` : null;
}

/** Finds obvious mistakes only; the service checks whether each text is a network. */
export function networksFault(text: string): string | null {
  const networks = networksOf(text);
  if (networks.length > networksMax) return t`At most ${networksMax}; these are ${networks.length}`;
  const bad = networks.find((network) => !/^[\d.]+(\/\d+)?$|^[\da-fA-F:.]+(\/\d+)?$/.test(network));
  return bad === undefined ? null : t`“${bad}” is no address or network`;
}

export function amountFault(text: string, { isZeroAllowed }: { isZeroAllowed: boolean }): string | null {
  const trimmed = plainAmount(text).trim();
  if (trimmed === '') return null;
  if (!/^\d+(\.\d{1,4})?$/.test(trimmed)) return t`Give an amount such as 500 or 12.5, or leave it empty`;
  return Number(trimmed) === 0 && !isZeroAllowed ? t`Must be above zero` : null;
}

/** For people who may only tighten a key: the error of a limit that would loosen it. */
export function raisedFault(text: string, present: number | null): string | null {
  const next = amountOf(text) ?? Number.POSITIVE_INFINITY;
  return present !== null && next > present ? t`You may only lower it: at most ${present}` : null;
}

/** The same for networks. The service checks whether they are part of the present ones. */
export function unboundFault(text: string, present: readonly string[]): string | null {
  const isUnbound = present.length > 0 && networksOf(text).length === 0;
  return isUnbound ? t`You may only take addresses away, not all of them` : null;
}

function amountText(amount: number | null): string {
  return amount === null ? '' : typedAmount(String(amount));
}

function amountOf(text: string): number | null {
  const trimmed = plainAmount(text).trim();
  return trimmed === '' ? null : Number(trimmed);
}
