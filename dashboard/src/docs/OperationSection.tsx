import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconClockBolt, IconKey, IconKeyOff, IconLink, IconShieldCheck } from '@tabler/icons-react';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { CopyAction } from '../components/CopyAction.tsx';
import { createLazy } from '../components/create-lazy.tsx';
import { lazily } from '../components/lazily.ts';
import { Markdown } from '../components/Markdown.tsx';
import { language } from '../texts/languages.ts';
import { credentialLabel } from './CredentialFields.tsx';
import { MethodBadge } from './MethodBadge.tsx';
import classes from './OperationSection.module.css';
import { ParameterList } from './ParameterList.tsx';
import { ResponseList } from './ResponseList.tsx';
import type { Operation, ParameterPlace, Reference } from './reference/model.ts';
import { SchemaTree } from './SchemaTree.tsx';
import { useIsNear } from './use-is-near.ts';

const panels = createLazy(async () => (await import('./OperationPanels.tsx')).OperationPanels);
// Requested while the first operations are rendered. A failure is without consequence: it is requested again with the panels.
panels.load().catch(() => undefined);

const placeTitles = lazily(
  (): Record<ParameterPlace, string> => ({
    path: t`Path parameters`,
    query: t`Query parameters`,
    header: t`Headers`,
  }),
);

interface OperationProps {
  operation: Operation;
  reference: Reference;
}

/**
 * One operation. Its fields and panels are rendered when it comes near the visible part of the page, or while the
 * browser is idle: rendering all of them at once takes seconds on a phone.
 */
export function OperationSection({ operation, reference }: OperationProps) {
  const [view, setView] = useState(operation.responses[0]?.status ?? '');
  const section = useRef<HTMLElement>(null);
  const isNear = useIsNear(section);
  return (
    <section
      ref={section}
      id={operation.id}
      className={classes.section}
      aria-labelledby={`${operation.id}-title`}
      data-waiting={!isNear || undefined}
    >
      <div className={classes.text}>
        <OperationHeading operation={operation} reference={reference} />
        <Markdown text={operation.description} topLevel={4} />
        {isNear && (
          <>
            <OperationInput operation={operation} />
            <ResponseList responses={operation.responses} onOpen={setView} />
          </>
        )}
      </div>
      <div className={classes.panels}>
        {isNear && (
          <Suspense>
            <panels.Content operation={operation} reference={reference} view={view} onView={setView} />
          </Suspense>
        )}
      </div>
    </section>
  );
}

function OperationHeading({ operation, reference }: OperationProps) {
  const { id, method, path, summary, scope, rateLimit, isDeprecated } = operation;
  return (
    <>
      <h3 id={`${id}-title`} className={classes.title}>
        {summary}
        <a href={`#${encodeURI(id)}`} className={classes.anchor} aria-label={t`Link to “${summary}”`}>
          <IconLink size={17} stroke={1.7} />
        </a>
      </h3>
      <p className={classes.path}>
        <MethodBadge method={method} />
        <code>{path}</code>
        <CopyAction value={path} label={t`Copy the path`} />
      </p>
      <ul className={classes.facts} aria-label={t`Conditions`}>
        {isDeprecated && (
          <Fact>
            <Trans>Deprecated: do not use it in new code</Trans>
          </Fact>
        )}
        <SecurityFact operation={operation} reference={reference} />
        {scope && (
          <Fact icon={<IconShieldCheck size={16} stroke={1.7} />}>
            <Trans>
              Scope <code>{scope}</code>
            </Trans>
          </Fact>
        )}
        {rateLimit && <Fact icon={<IconClockBolt size={16} stroke={1.7} />}>{rateLimit}</Fact>}
      </ul>
    </>
  );
}

function SecurityFact({ operation, reference }: OperationProps) {
  const { alternatives, isOptional } = operation.security;
  if (alternatives.length === 0) {
    return (
      <Fact icon={<IconKeyOff size={16} stroke={1.7} />}>
        <Trans>No credential needed</Trans>
      </Fact>
    );
  }
  const nameOf = (id: string) => {
    const scheme = reference.credentials.find((candidate) => candidate.id === id);
    return scheme ? credentialLabel(scheme) : id;
  };
  const sets = alternatives.map((set) => listed(set.map(nameOf), 'conjunction'));
  const names = listed(sets, 'disjunction');
  return <Fact icon={<IconKey size={16} stroke={1.7} />}>{isOptional ? t`${names}, optional` : names}</Fact>;
}

function Fact({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <li className={classes.fact}>
      {icon}
      <span>{children}</span>
    </li>
  );
}

function OperationInput({ operation }: { operation: Operation }) {
  const places: ParameterPlace[] = ['path', 'query', 'header'];
  return (
    <>
      {places.map((place) => {
        const parameters = operation.parameters.filter((parameter) => parameter.place === place);
        if (parameters.length === 0) return null;
        return (
          <section key={place} className={classes.part}>
            <h4>{placeTitles()[place]}</h4>
            <ParameterList parameters={parameters} />
          </section>
        );
      })}
      {operation.body && (
        <section className={classes.part}>
          <h4>
            <Trans>
              Request body <span className={classes.contentType}>{operation.body.contentType}</span>
            </Trans>
          </h4>
          <Markdown text={operation.body.description} />
          <SchemaTree schema={operation.body.schema} />
        </section>
      )}
    </>
  );
}

function listed(names: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat(language, { type }).format(names);
}
