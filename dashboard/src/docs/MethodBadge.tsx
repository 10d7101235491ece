import classes from './MethodBadge.module.css';

/** The HTTP method as a coloured word; `isSmall` for lists. */
export function MethodBadge({ method, isSmall = false }: { method: string; isSmall?: boolean }) {
  const text = isSmall && method === 'DELETE' ? 'DEL' : method;
  return (
    <span className={isSmall ? classes.small : classes.badge} data-method={method}>
      {text}
    </span>
  );
}
