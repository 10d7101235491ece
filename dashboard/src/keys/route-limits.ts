import { t } from '@lingui/core/macro';
import { type KeyRoute, type RouteLimit, routeTexts } from '../access/route-limit-texts.ts';

/** A limit as typed into the form. */
export interface RouteLimitValue extends Omit<RouteLimit, 'limit'> {
  limit: string;
}

const limitMax = 1_000;

// The object of the texts is a literal, so its keys are exactly the routes.
export const keyRoutes = Object.keys(routeTexts) as KeyRoute[];

/** The routes that an entered limit may use: its own, and those without another limit. */
export function freeRoutes(values: readonly RouteLimitValue[], own?: RouteLimitValue): KeyRoute[] {
  return keyRoutes.filter((route) => route === own?.route || values.every((value) => value.route !== route));
}

export function routeLimitsFault(values: readonly RouteLimitValue[]): string | null {
  const bad = values.find(({ limit }) => !/^\d{1,4}$/.test(limit.trim()) || !isInRange(Number(limit)));
  return bad === undefined ? null : t`${routeTexts[bad.route]}: give a number from 1 to ${limitMax}`;
}

function isInRange(limit: number): boolean {
  return limit >= 1 && limit <= limitMax;
}

/** For people who may only tighten a key. The service compares seconds with minutes. */
export function routeLimitsLoosening(
  values: readonly RouteLimitValue[],
  present: readonly RouteLimit[],
): string | null {
  const raised = present.find(({ route, limit, per }) => {
    const next = values.find((value) => value.route === route);
    return next === undefined || (next.per === per && Number(next.limit) > limit);
  });
  return raised === undefined ? null : t`You may only lower the limit of ${routeTexts[raised.route]}`;
}
