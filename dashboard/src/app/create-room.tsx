import { type ComponentType, lazy } from 'react';

/** A page whose code is loaded when it is entered; the front door stays light. */
export interface Room<Props extends object> {
  /** Loads the code ahead of time. */
  load: () => Promise<unknown>;
  Page: ComponentType<Props>;
}

/** Once the code is there the page is rendered as it is: waiting for it, however short, would show a placeholder first. */
export function createRoom<Props extends object>(
  importPage: () => Promise<ComponentType<Props>>,
): Room<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const load = async () => {
    Loaded = await importPage();
    return Loaded;
  };
  // Props of a generic component; they are those of the page itself.
  const Waiting = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  return {
    load,
    Page: (props) => (Loaded ? <Loaded {...props} /> : <Waiting {...props} />),
  };
}
