import { areTextsLoaded } from '../texts/first-texts.ts';

/**
 * Makes a value at its first use. A formatter of Intl takes milliseconds, and a page uses few of them. A table of texts that the first
 * requests need before the texts are loaded is made again afterwards.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    if (!areTextsLoaded()) return make();
    made ??= { value: make() };
    return made.value;
  };
}
