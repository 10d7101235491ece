import { parse, type Token } from '@messageformat/parser';

/**
 * The faults of one translation: placeholders and tags that differ from the English message, plural forms that the language does
 * not have, or lacks. Undefined when there are none.
 */
export function translationFault(language: string, message: string, translation: string): string | undefined {
  const [source, translated] = [readMessage(message), readMessage(translation)];
  if (source === undefined) return 'the English message is not valid';
  if (translated === undefined) return 'the translation is not a valid message';
  const wanted = [...source.names].sort().join(' ');
  const found = [...translated.names].sort().join(' ');
  if (wanted !== found) return `the placeholders are “${found}”, not “${wanted}”`;
  const forms = new Set(new Intl.PluralRules(language).resolvedOptions().pluralCategories);
  for (const keys of translated.plurals) {
    const words = keys.filter((key) => !/^=?\d+$/.test(key));
    const unknown = words.find((key) => !forms.has(key as Intl.LDMLPluralRule));
    if (unknown !== undefined) return `the language has no plural form “${unknown}”`;
    // Few texts need “many”, for a million and more in French, Spanish and Portuguese: “other” is used without it.
    const missing = [...forms].find((form) => form !== 'many' && !words.includes(form));
    if (missing !== undefined) return `the plural form “${missing}” is missing`;
  }
  return undefined;
}

interface MessageParts {
  /** Placeholders, tags, and choices with their kind. */
  names: Set<string>;
  /** The forms of each plural. */
  plurals: string[][];
}

function readMessage(message: string): MessageParts | undefined {
  const parts: MessageParts = { names: new Set(), plurals: [] };
  try {
    collect(parse(message), parts);
    return parts;
  } catch {
    return undefined;
  }
}

function collect(tokens: readonly Token[], parts: MessageParts): void {
  for (const token of tokens) {
    if (token.type === 'content') {
      for (const [, tag = ''] of token.value.matchAll(/<(\/?[\w.-]+\/?)>/g)) parts.names.add(`<${tag}>`);
    } else if (token.type === 'argument') {
      parts.names.add(`{${token.arg}}`);
    } else if (token.type === 'plural' || token.type === 'selectordinal' || token.type === 'select') {
      parts.names.add(`{${token.arg}, ${token.type}}`);
      if (token.type === 'plural') parts.plurals.push(token.cases.map(({ key }) => key));
      for (const { tokens: inner } of token.cases) collect(inner, parts);
    }
  }
}
