/** The document arrives after the browser has looked for the address, so it is looked up again. */
export function scrollToAddress(): void {
  const id = decodeAddress(window.location.hash.slice(1));
  if (id !== '') document.getElementById(id)?.scrollIntoView({ behavior: 'instant' });
}

function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign names no section of ours.
    return '';
  }
}
