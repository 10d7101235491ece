import { Breakable } from './Breakable.tsx';

interface NamedIdProps {
  /** The id with its kind, such as "Player 17". */
  title: string;
  id: string;
  name: string | undefined;
}

/** The name behind an id, with both on hover; the id itself when there is no name. */
export function NamedId({ title, id, name }: NamedIdProps) {
  return (
    <span title={name === undefined ? title : `${name} (${title})`}>
      <Breakable>{name ?? id}</Breakable>
    </span>
  );
}
