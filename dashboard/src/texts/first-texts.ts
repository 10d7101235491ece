declare global {
  interface Window {
    /** The texts of the first page, requested by `boot.ts`. Undefined in English. */
    firstTexts?: Promise<Response>;
  }
}

let isLoaded = typeof window === 'undefined' || window.firstTexts === undefined;

/** False until the texts of the first page are there. */
export function areTextsLoaded(): boolean {
  return isLoaded;
}

export function noteTextsLoaded(): void {
  isLoaded = true;
}
