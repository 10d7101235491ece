import type { ReactNode } from 'react';
import classes from './Facts.module.css';

export interface Fact {
  label: string;
  value: ReactNode;
}

/** The fields of one record, one per line. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt className={classes.label}>{label}</dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
