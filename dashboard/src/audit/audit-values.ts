import { t } from '@lingui/core/macro';
import { labelsOfEvents } from '../access/event-labels.ts';
import { planText, roleTexts } from '../access/guild-texts.ts';
import { routeLimitTexts } from '../access/route-limit-texts.ts';
import { scopeLabels } from '../access/scope-labels.ts';
import { disabledReasonText, filterInWords } from '../access/webhook-texts.ts';
import type { WebhookFilter } from '../api/webhooks.ts';
import { listText } from '../components/language-formats.ts';
import { lazily } from '../components/lazily.ts';
import { formatMoney, moneyText } from '../components/money.ts';
import { exactMoment } from '../components/time.ts';
import { LANGUAGES } from '../texts/languages.ts';

/** Values that the log holds as names of the service, in the words of the other pages: by field and value. */
const valueNames = lazily(
  () =>
    new Map<string, string>([
      ...Object.entries(roleTexts()).map(([role, { label }]) => [`role ${role}`, label] as const),
      ...Object.entries(LANGUAGES).map(([tag, ownName]) => [`language ${tag}`, ownName] as const),
      ['status active', t({ message: 'Active', context: 'webhook' })],
      ['status disabled', t`Disabled`],
      ['kind standard', t`A program`],
      ['kind discord', t`A chat channel`],
    ]),
);

/** A value of a changed field as text. */
export function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined) return t`none`;
  if (typeof value === 'boolean') return value ? t`yes` : t`no`;
  if (typeof value === 'number') return numberText(name, value);
  if (typeof value === 'string') return nameText(name, value);
  if (isTexts(value)) return listText(itemTexts(name, value));
  if (name === 'filter' && isFilter(value)) return filterText(value);
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

function numberText(name: string, value: number): string {
  if (name.endsWith('Ms')) return exactMoment(value);
  if (name.endsWith('Units')) return formatMoney(moneyText(BigInt(Math.trunc(value))));
  return String(value);
}

function nameText(name: string, value: string): string {
  if (name === 'plan') return planText({ plan: value });
  if (name === 'chatCommandsOff' && value !== '') {
    return listText(value.split(', ').map((command) => `/${command}`));
  }
  if (name === 'routeLimits' && value !== '') return listText(routeLimitTexts(value));
  if (name === 'disabledReason') return disabledReasonText(value);
  return valueNames().get(`${name} ${value}`) ?? value;
}

const filterParts = ['source', 'minTotal', 'playerId', 'balanceBelow'];

/** False for a filter of another version, with parts that have no words here. */
function isFilter(value: unknown): value is WebhookFilter {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).every((part) => filterParts.includes(part))
  );
}

function filterText(filter: WebhookFilter): string {
  const only = filterInWords(filter);
  return only.length === 0 ? t`No filter` : listText(only);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function itemTexts(name: string, values: string[]): string[] {
  if (name === 'events') return labelsOfEvents(values);
  if (name === 'scopes') return values.map((scope) => scopeLabels()[scope] ?? scope);
  return values;
}
