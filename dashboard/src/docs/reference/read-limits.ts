import { plural, t } from '@lingui/core/macro';
import type { JsonRecord } from './json.ts';

/** The limits of a schema in words. */
export function limitsOf(schema: JsonRecord): string[] {
  const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf: step, pattern } = schema;
  const limits = [
    limitText(schema.minimum, schema.maximum, numbers),
    typeof above === 'number' ? t`more than ${above}` : '',
    typeof below === 'number' ? t`less than ${below}` : '',
    typeof step === 'number' ? t`a multiple of ${step}` : '',
    limitText(schema.minLength, schema.maxLength, characters),
    limitText(schema.minItems, schema.maxItems, items),
    schema.uniqueItems === true ? t`no value twice` : '',
    // The pattern of a format is for programs; the introduction has the rule in words.
    typeof pattern === 'string' && schema.format === undefined ? t`matches \`${pattern}\`` : '',
  ];
  return limits.filter((limit) => limit !== '');
}

interface LimitTexts {
  exactly: (count: number) => string;
  between: (from: number, to: number) => string;
  least: (from: number) => string;
  most: (to: number) => string;
}

const numbers: LimitTexts = {
  exactly: (count) => t`exactly ${count}`,
  between: (from, to) => t`${from} to ${to}`,
  least: (from) => t`at least ${from}`,
  most: (to) => t`at most ${to}`,
};

const characters: LimitTexts = {
  exactly: (count) => plural(count, { one: 'exactly # character', other: 'exactly # characters' }),
  between: (from, to) => plural(to, { one: `${from} to # character`, other: `${from} to # characters` }),
  least: (from) => plural(from, { one: 'at least # character', other: 'at least # characters' }),
  most: (to) => plural(to, { one: 'at most # character', other: 'at most # characters' }),
};

const items: LimitTexts = {
  exactly: (count) => plural(count, { one: 'exactly # item', other: 'exactly # items' }),
  between: (from, to) => plural(to, { one: `${from} to # item`, other: `${from} to # items` }),
  least: (from) => plural(from, { one: 'at least # item', other: 'at least # items' }),
  most: (to) => plural(to, { one: 'at most # item', other: 'at most # items' }),
};

function limitText(from: unknown, to: unknown, texts: LimitTexts): string {
  // The ends of the exact number range are no limits that a reader would meet.
  const hasFrom = typeof from === 'number' && from > Number.MIN_SAFE_INTEGER;
  const hasTo = typeof to === 'number' && to < Number.MAX_SAFE_INTEGER;
  if (hasFrom && hasTo) return from === to ? texts.exactly(from) : texts.between(from, to);
  if (hasFrom) return texts.least(from);
  return hasTo ? texts.most(to) : '';
}
