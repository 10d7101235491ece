import type { ComponentType } from 'react';
import { createLazy, type Lazy } from '../components/create-lazy.tsx';
import { guildPageImports, pageImports } from './page-imports.ts';

// The pages. The code of each is loaded when it is opened, or while the browser is idle.

export const guildPages = eachLazy(guildPageImports);
export const guildsPage = createLazy(pageImports.guilds);
export const signInPage = createLazy(pageImports.signIn);
export const joinPage = createLazy(pageImports.join);
export const commandsPage = createLazy(pageImports.commands);

function eachLazy<Name extends string>(
  imports: Readonly<Record<Name, () => Promise<ComponentType>>>,
): Record<Name, Lazy<object>> {
  const pages = Object.entries<() => Promise<ComponentType>>(imports).map(([name, importPage]) => [
    name,
    createLazy<object>(importPage),
  ]);
  // The entries have the names of the imports.
  return Object.fromEntries(pages) as Record<Name, Lazy<object>>;
}
