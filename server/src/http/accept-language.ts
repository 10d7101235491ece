/** Browsers name a few. */
const TAGS_MAX = 20;

/** The languages that an Accept-Language header names, the most wanted first. */
export function wantedLanguages(header = ''): string[] {
  return header
    .split(',', TAGS_MAX)
    .map((entry) => {
      const [tag = '', weight = 'q=1'] = entry.split(';').map((part) => part.trim());
      return { tag, weight: Number(weight.replace(/^q=/i, '')) };
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
