import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../access/Loaded.tsx';
import { type BoardParts, boardPreviewQuery } from '../api/board.ts';
import { lazily } from '../components/lazily.ts';
import { Segments } from '../components/Segments.tsx';
import classes from './Board.module.css';

const views = lazily(
  () =>
    [
      { value: 'page', label: t`Page` },
      { value: 'link', label: t`Link in a chat` },
    ] as const,
);

/** The page as visitors would see it now, with the parts that are chosen in the form. */
export function BoardPreview({ guildId, parts }: { guildId: string; parts: BoardParts }) {
  const query = useQuery(boardPreviewQuery(guildId, parts));
  const [view, setView] = useState<ReturnType<typeof views>[number]['value']>('page');
  return (
    <section className={classes.preview} aria-label={t`Preview`}>
      <div className={classes.previewHead}>
        <h2 className={classes.previewTitle}>
          <Trans>Preview</Trans>
        </h2>
        <Segments data={views()} value={view} onChange={setView} aria-label={t`What is shown`} />
      </div>
      <Loaded
        query={query}
        skeleton={<Skeleton className={classes.frame ?? ''} />}
        failure={t`The preview could not be loaded`}
      >
        {({ html, picture }) =>
          view === 'page' ? (
            <iframe
              title={t`The board as visitors see it`}
              className={classes.frame}
              srcDoc={html}
              sandbox=""
              data-fresh={!query.isPlaceholderData}
            />
          ) : (
            <img
              className={classes.picture}
              src={picture}
              width={1200}
              height={630}
              alt={t`What a chat shows below a link to the board`}
            />
          )
        }
      </Loaded>
      <p className={classes.note}>
        <Trans>Only you see this. Nothing is public before you save.</Trans>
      </p>
    </section>
  );
}
