/** No source file is longer. */
export const LINES_MAX = 300;

export function linesOf(source: string): number {
  return source.trimEnd().split('\n').length;
}

export function hasDefaultExport(source: string): boolean {
  return /^\s*export\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/m.test(source);
}

/** True when Node's HTTP is imported for more than its types. Such an import also loads an HTTP client and TLS. */
export function importsNodeHttp(source: string): boolean {
  return /\bimport\s+(?!type\b)[^;]*['"](?:node:)?https?['"]/.test(source);
}
