import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { VisuallyHidden } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { may } from '../access/guild-texts.ts';
import type { Guild } from '../api/guilds.ts';
import { keysQuery } from '../api/keys.ts';
import classes from './FirstSteps.module.css';
import { type FirstStep, firstSteps } from './first-steps.ts';

/** The way from an empty guild to its first transaction. Finished steps are ticked off. */
export function FirstSteps({ guild }: { guild: Guild }) {
  const { data: keys } = useQuery({ ...keysQuery(guild.guildId), enabled: may(guild, 'keys.read') });
  const steps = firstSteps(guild, keys);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section className={classes.section} aria-labelledby="first-steps-title">
      <h2 id="first-steps-title" className={classes.title}>
        <Trans>First steps</Trans>
      </h2>
      <p className={classes.progress}>
        <Trans>
          No money has moved yet. With the first transaction, figures and charts appear here. {done} of{' '}
          {steps.length} steps are done.
        </Trans>
      </p>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <Step key={step.title} step={step} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step: { title, explanation, isDone, link } }: { step: FirstStep }) {
  const Icon = isDone ? IconCircleCheck : IconCircle;
  return (
    <li data-done={isDone || undefined}>
      <Icon size={22} stroke={1.7} aria-hidden="true" />
      <div className={classes.text}>
        <p className={classes.name}>
          {title}
          <VisuallyHidden>{` ${isDone ? t`(done)` : t`(to do)`}`}</VisuallyHidden>
        </p>
        <p className={classes.explanation}>{explanation}</p>
      </div>
      {link && !isDone && <StepLink {...link} />}
    </li>
  );
}

function StepLink({ label, to, isOutside = false }: NonNullable<FirstStep['link']>) {
  const className = classes.link ?? '';
  return isOutside ? (
    <a href={to} className={className}>
      {label}
    </a>
  ) : (
    <Link to={to} className={className}>
      {label}
    </Link>
  );
}
