/**
 * The first offered language that one of the wanted ones names: "de-AT" finds "de", and "pt" finds "pt-BR". The source's language
 * when none does.
 */
export function findLanguage<Offered extends string>(
  wanted: readonly string[],
  offered: readonly Offered[],
): Offered | 'en' {
  for (const tag of wanted) {
    const exact = offered.find((one) => one.toLowerCase() === tag.toLowerCase());
    const found = exact ?? offered.find((one) => baseOf(one) === baseOf(tag));
    if (found !== undefined) return found;
  }
  return 'en';
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}
