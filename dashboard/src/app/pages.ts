import type { ComponentType } from 'react';
import { createLazyPage, type LazyPage } from '../components/create-lazy-page.tsx';
import { guildPageImports, pageImports } from './page-imports.ts';

// The pages. The code of each is loaded when it is opened, or while the browser is idle.

export const guildPages = eachLazy(guildPageImports);
export const guildsPage = createLazyPage(pageImports.guilds);
export const signInPage = createLazyPage(pageImports.signIn);
export const joinPage = createLazyPage(pageImports.join);
export const commandsPage = createLazyPage(pageImports.commands);

function eachLazy<Name extends string>(
  imports: Readonly<Record<Name, () => Promise<ComponentType>>>,
): Record<Name, LazyPage<object>> {
  const pages = Object.entries<() => Promise<ComponentType>>(imports).map(([name, importPage]) => [
    name,
    createLazyPage<object>(importPage),
  ]);
  // The entries have the names of the imports.
  return Object.fromEntries(pages) as Record<Name, LazyPage<object>>;
}
