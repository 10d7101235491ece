import { Fragment } from 'react';

/** A name, path or address without spaces, which may wrap after its marks instead of inside a word. */
export function Breakable({ children }: { children: string }) {
  const parts = children.match(/[^/_]*[/_]+|[^/_]+/g) ?? [];
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
