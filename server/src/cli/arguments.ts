import { availableParallelism } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { PLANS, type Plan, SCOPES, type Scope } from '../domain/model.ts';
import { isDate } from '../wire/dates.ts';
import { ID_LENGTH_MAX, isJsonNumber, isLine } from '../wire/text.ts';

export const KEY_NAME_LENGTH_MAX = 100;
export const KEY_NOTE_LENGTH_MAX = 1_000;
const OVERLAP_DAYS_MAX = 7;
const WORKERS_MAX = 64;

const DURATION_UNITS_MS: Record<string, number> = { h: 3_600_000, d: 86_400_000 };

/** Parses one line of readable text, by the rule of the interface. */
export function parseText(lengthMax: number): (text: string) => string {
  return (text) => {
    if (!isLine(text) || text.length > lengthMax) {
      throw new InvalidArgumentError(`Give 1 to ${lengthMax} characters without control characters.`);
    }
    return text;
  };
}

/** `4`, or `auto` for the number of processors. */
export function parseWorkers(text: string): number {
  const count = text === 'auto' ? Math.min(availableParallelism(), WORKERS_MAX) : Number(text);
  if (!Number.isInteger(count) || count < 1 || count > WORKERS_MAX) {
    throw new InvalidArgumentError(`Give a number from 1 to ${WORKERS_MAX}, or auto.`);
  }
  return count;
}

/** A whole number from 1. */
export function parseCount(max: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (!Number.isInteger(count) || count < 1 || count > max) {
      throw new InvalidArgumentError(`Give a number from 1 to ${max}.`);
    }
    return count;
  };
}

export const parseId = parseText(ID_LENGTH_MAX);

export function parsePlan(text: string): Plan {
  const plan = PLANS.find((one) => one === text);
  if (plan === undefined) {
    throw new InvalidArgumentError(`Choose one of: ${PLANS.join(', ')}.`);
  }
  return plan;
}

export function parseScopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  return names.map((name) => {
    const scope = SCOPES.find((one) => one === name);
    if (scope === undefined) {
      throw new InvalidArgumentError(`Choose from: ${SCOPES.join(', ')}, separated by commas.`);
    }
    return scope;
  });
}

/** `2027-01-31`, `2027-01-31T18:00:00Z`: a date without a time means its first moment in UTC. */
export function parseDate(text: string): number {
  if (!isDate(text)) {
    throw new InvalidArgumentError('Give a date such as 2027-01-31 or 2027-01-31T18:00:00Z.');
  }
  return Date.parse(text);
}

/** A duration such as `12h` or `7d`, or `0`, in milliseconds. */
export function parseOverlap(text: string): number {
  const match = /^(\d{1,3})([hd])$/.exec(text);
  const overlapMs = text === '0' ? 0 : Number(match?.[1]) * (DURATION_UNITS_MS[match?.[2] ?? ''] ?? NaN);
  if (!(overlapMs <= OVERLAP_DAYS_MAX * 86_400_000)) {
    throw new InvalidArgumentError('Give 0, or days or hours up to 7d, such as 12h.');
  }
  return overlapMs;
}

/** Parses an amount, or `none`. */
export function parseLimit(text: string): number | 'none' {
  if (text !== 'none' && !isJsonNumber(text)) {
    throw new InvalidArgumentError('Give an amount such as 500 or 12.5, or none.');
  }
  return text === 'none' ? text : Number(text);
}

/** A date, or a duration from now such as `90d` or `12h`. */
export function parseExpiry(nowMs: number): (text: string) => number {
  return (text) => {
    const match = /^(\d{1,5})([hd])$/.exec(text);
    const unitMs = DURATION_UNITS_MS[match?.[2] ?? ''];
    if (match !== null && unitMs !== undefined) {
      return nowMs + Number(match[1]) * unitMs;
    }
    try {
      return parseDate(text);
    } catch {
      throw new InvalidArgumentError(
        'Give days or hours from now, such as 90d or 12h, or a date such as 2027-01-31.',
      );
    }
  };
}

/** A schema version, which `backup` and `migrate` print. */
export function readVersion(text: string): number {
  if (!/^\d{1,4}$/.test(text)) {
    throw new InvalidArgumentError('Give a schema version such as 18.');
  }
  return Number(text);
}
