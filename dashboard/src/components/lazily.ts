import { areTextsLoaded } from '../texts/first-texts.ts';

/**
 * Makes a value at its first use: formatters of Intl, of which each takes milliseconds and a page uses few, and tables of texts. A value
 * that is needed before the texts of the page are loaded, by the first requests, is made again afterwards.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    if (!areTextsLoaded()) return make();
    made ??= { value: make() };
    return made.value;
  };
}
