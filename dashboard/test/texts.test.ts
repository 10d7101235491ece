import { describe, expect, test } from 'vitest';
import { translationFault } from '../../scripts/texts/check-translations.ts';
import { findOutsideTexts } from '../../scripts/texts/outside-texts.ts';
import { findLanguage } from '../../server/src/texts/find-language.ts';

describe('the language of a page', () => {
  const offered = ['en', 'de', 'pt-BR'];
  test.each([
    [['de'], 'de'],
    [['de-AT', 'en'], 'de'],
    [['', 'pt'], 'pt-BR'],
    [['PT-br'], 'pt-BR'],
    [['en-US', 'de'], 'en'],
    [['nl', 'de'], 'de'],
    [['nl'], 'en'],
    [[], 'en'],
  ])('wanted %j is %s', (wanted, found) => {
    expect(findLanguage(wanted, offered)).toBe(found);
  });
});

describe('a translation', () => {
  test.each([
    ['de', 'Key {name}', 'Schlüssel {name}'],
    ['de', '{0} of <code>{1}</code>', '<code>{1}</code>: {0}'],
    ['de', '{n, plural, one {# key} other {# keys}}', '{n, plural, one {# Schlüssel} other {# Schlüssel}}'],
    ['ja', '{n, plural, one {# key} other {# keys}}', '{n, plural, other {# 個}}'],
    ['fr', '{n, plural, one {# key} other {# keys}}', '{n, plural, one {# clé} other {# clés}}'],
  ])('to %s of “%s” may be “%s”', (language, message, translation) => {
    expect(translationFault(language, message, translation)).toBeUndefined();
  });

  test.each([
    ['de', 'Key {name}', 'Schlüssel', 'the placeholders are “”, not “{name}”'],
    ['de', 'Key', 'Schlüssel {name}', 'the placeholders are “{name}”, not “”'],
    ['de', 'A <0>b</0>', 'A b', 'the placeholders are “”, not “</0> <0>”'],
    ['de', 'Key {name}', 'Schlüssel {name', 'the translation is not a valid message'],
    ['de', '{n, plural, one {a} other {b}}', '{n, plural, other {b}}', 'the plural form “one” is missing'],
    [
      'ja',
      '{n, plural, one {a} other {b}}',
      '{n, plural, one {a} other {b}}',
      'the language has no plural form “one”',
    ],
  ])('to %s of “%s” must not be “%s”', (language, message, translation, fault) => {
    expect(translationFault(language, message, translation)).toBe(fault);
  });
});

describe('text outside of the catalogues', () => {
  test.each([
    ['text of an element', 'const A = () => <p>Nothing yet</p>;'],
    ['a word in an element', 'const A = () => <b>Save</b>;'],
    ['an attribute', 'const A = () => <Field label="Name" />;'],
    ['a choice in an attribute', "const A = () => <Field title={isNew ? 'Add' : 'Change'} />;"],
    ['a property', "const a = () => [{ label: 'Name' }];"],
    ['a sentence', "const a = () => 'Choose a person';"],
    ['a sentence with a value', `const a = (max: number) => \`At most \${max} characters\`;`],
    ['a macro that runs too early', 'const a = t`Name`;'],
    ['a plural that runs too early', "const a = plural(1, { one: '# key', other: '# keys' });"],
  ])('is found: %s', (_name, source) => {
    expect(findOutsideTexts('a.tsx', source)).toHaveLength(source.includes('Add') ? 2 : 1);
  });

  test.each([
    ['a message', 'const A = () => <p><Trans>Nothing <b>yet</b></Trans></p>;'],
    ['a macro', 'const A = () => <Field label={t`Name`} />;'],
    ['a plural', "const a = (n: number) => plural(n, { one: 'One key', other: 'Many keys' });"],
    ['a value of a program', "const a = () => ({ tone: 'danger', path: 'Some/Path' });"],
    ['a name', "const a = kind === 'Some kind';"],
    ['code', 'const A = () => <code>Authorization: Bearer</code>;'],
    ['an impossible state', "const a = () => { throw new Error('The page has no root'); };"],
  ])('is not %s', (_name, source) => {
    expect(findOutsideTexts('a.tsx', source)).toEqual([]);
  });
});
