import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';

const source = path.join(import.meta.dirname, '../src');
const library = path.dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'));

/** The components of the library that a file imports. */
function componentsIn(file: string): string[] {
  const imports = readFileSync(path.join(source, file), 'utf8').matchAll(
    /import \{([^}]*)\} from '@mantine\/core'/g,
  );
  return [...imports].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
}

test('every component of the library that a page uses has its styles', () => {
  const used = new Set(globSync('**/*.tsx', { cwd: source }).flatMap(componentsIn));
  const styled = [...used].filter((name) => existsSync(path.join(library, 'styles', `${name}.layer.css`)));
  expect(styled).toContain('Button');
  const styles = readFileSync(path.join(source, 'components/mantine-styles.ts'), 'utf8');
  expect(styled.filter((name) => !styles.includes(`styles/${name}.layer.css`))).toEqual([]);
});
