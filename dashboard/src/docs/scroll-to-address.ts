/** Scrolls to the hash of the address. The browser tried that before the document was loaded. */
export function scrollToAddress(): void {
  const id = decodeAddress(window.location.hash.slice(1));
  if (id !== '') document.getElementById(id)?.scrollIntoView({ behavior: 'instant' });
}

function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An invalid percent sequence names no section.
    return '';
  }
}
