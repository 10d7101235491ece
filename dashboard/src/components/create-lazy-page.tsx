import { type ComponentType, lazy } from 'react';

/** A page whose code is loaded on first use, so that the first page stays small. */
export interface LazyPage<Props extends object> {
  /** Loads the code ahead of time. */
  load: () => Promise<unknown>;
  Page: ComponentType<Props>;
}

/** When the code is already loaded, the page is rendered without Suspense, which would show a placeholder first. */
export function createLazyPage<Props extends object>(
  importPage: () => Promise<ComponentType<Props>>,
): LazyPage<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const load = async () => {
    Loaded = await importPage();
    return Loaded;
  };
  // The cast restores the props of the page, which the generic `lazy` loses.
  const Waiting = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  return {
    load,
    Page: (props) => (Loaded ? <Loaded {...props} /> : <Waiting {...props} />),
  };
}
