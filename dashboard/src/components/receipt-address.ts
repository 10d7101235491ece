const fragmentStart = '#receipt=';

/** The address of the page that checks a receipt. It is in the fragment, which browsers do not send to servers. */
export function receiptAddress(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  const encoded = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `/receipt${fragmentStart}${encoded}`;
}

/** The receipt in the fragment of an address; undefined when it has none. A damaged one is returned as it is. */
export function receiptInFragment(fragment: string): string | undefined {
  if (!fragment.startsWith(fragmentStart)) return undefined;
  const encoded = fragment.slice(fragmentStart.length);
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return encoded;
  }
}
