import { type ComponentType, lazy, useState } from 'react';

/** A page, or a part of one, whose code is loaded on first use, so that the first page stays small. */
export interface Lazy<Props extends object> {
  /** Loads the code ahead of time. */
  load: () => Promise<unknown>;
  Content: ComponentType<Props>;
}

/** When the code is already loaded, the content is rendered without Suspense, which would show a placeholder first. */
export function createLazy<Props extends object>(
  importContent: () => Promise<ComponentType<Props>>,
): Lazy<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const load = async () => {
    Loaded = await importContent();
    return Loaded;
  };
  // The cast restores the props of the content, which the generic `lazy` loses.
  const Waiting = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  function Content(props: Props) {
    // Chosen once: another component in the next rendering would lose the state of what is shown.
    const [Chosen] = useState<ComponentType<Props>>(() => Loaded ?? Waiting);
    return <Chosen {...props} />;
  }
  return { load, Content };
}
