import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A source tree as text: path from its root, with forward slashes, to content. */
export type Sources = Record<string, string>;

/** Who imports what: each file with its imports, ours as paths and others by name. */
export type ImportGraph = Map<string, string[]>;

export function readSources(root: string): Sources {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return [path.relative(root, file).split(path.sep).join('/'), readFileSync(file, 'utf8')];
    }),
  );
}

export function buildGraph(sources: Sources): ImportGraph {
  const files = Object.entries(sources).filter(([file]) => /\.(?:tsx?|css)$/.test(file));
  return new Map(
    files.map(([file, source]) => [
      file,
      // Style sheets are imported, but what they import is not looked at.
      file.endsWith('.css') ? [] : importsOf(source).map((name) => resolve(file, name)),
    ]),
  );
}

// Type-only imports count like any other, and so do files that are started or read by their address.
const IMPORT_PATTERNS = [
  /\b(?:import|export)\b[^'"`;()]*?\bfrom\s*(['"])(?<name>[^'"]+)\1/g,
  // Not the word within quotes, which may be a value like any other.
  /(?<!['"])\bimport\s*(['"])(?<name>[^'"]+)\1/g,
  /\bimport\s*\(\s*(['"`])(?<name>[^'"`]+)\1/g,
  /\bimport\.meta\.resolve\s*\(\s*(['"`])(?<name>[^'"`]+)\1/g,
  /\brequire\s*\(\s*(['"`])(?<name>[^'"`]+)\1/g,
  /\bnew\s+URL\s*\(\s*(['"`])(?<name>[^'"`]+\.ts)\1\s*,\s*import\.meta\.url/g,
];

/** Every import of a source text, static, dynamic, for types or for effect, in the order of the patterns. */
export function importsOf(source: string): string[] {
  const code = withoutComments(source);
  const names = IMPORT_PATTERNS.flatMap((pattern) =>
    Array.from(code.matchAll(pattern), (match) => match.groups?.name ?? ''),
  );
  return Array.from(new Set(names));
}

/** Strings are stepped over whole, so that a `//` within one is not taken for a comment. */
export function withoutComments(source: string): string {
  const tokens = /(['"])(?:\\.|(?!\1)[^\\\n])*\1|`(?:\\.|[^\\`])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return source.replace(tokens, (token) => (token.startsWith('/') ? ' ' : token));
}

function resolve(importer: string, name: string): string {
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(importer), name) : name;
}

/** Each cycle once, as the files along it, from the one that sorts first. */
export function findCycles(graph: ImportGraph): string[][] {
  const cycles = new Map<string, string[]>();
  const finished = new Set<string>();

  function visit(file: string, trail: string[]): void {
    const start = trail.indexOf(file);
    if (start >= 0) {
      const cycle = startAtFirst(trail.slice(start));
      cycles.set(cycle.join(' '), cycle);
      return;
    }
    if (finished.has(file)) {
      return;
    }
    for (const imported of graph.get(file) ?? []) {
      visit(imported, [...trail, file]);
    }
    finished.add(file);
  }

  for (const file of graph.keys()) {
    visit(file, []);
  }
  return Array.from(cycles.values());
}

function startAtFirst(cycle: string[]): string[] {
  const first = cycle.indexOf(cycle.toSorted()[0] ?? '');
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
