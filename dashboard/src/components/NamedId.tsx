interface NamedIdProps {
  /** The kind of the id, such as "Player". */
  kind: string;
  id: string;
  name: string | undefined;
}

/** The name behind an id, with the id on hover; the id itself when there is no name. */
export function NamedId({ kind, id, name }: NamedIdProps) {
  return <bdi title={`${kind} ${id}`}>{name ?? id}</bdi>;
}
