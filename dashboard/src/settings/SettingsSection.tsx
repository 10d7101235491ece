import { type ReactNode, useId } from 'react';
import classes from './Settings.module.css';

interface SettingsSectionProps {
  title: string;
  explanation: string;
  children: ReactNode;
}

/** Settings that belong together: the title beside the fields, or above them on a narrow screen. */
export function SettingsSection({ title, explanation, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        <p className={classes.explanation}>{explanation}</p>
      </div>
      <div className={classes.fields}>{children}</div>
    </section>
  );
}
