import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { isUndecided } from '../api/request.ts';
import { Notice } from '../components/Notice.tsx';

interface PostingFaultProps {
  error: Error;
  /** The person whose transaction was refused, when the service named one of many. */
  about?: string | undefined;
}

/** Why nothing was posted, or that it is unknown whether it was. */
export function PostingFault({ error, about }: PostingFaultProps) {
  const isOpen = isUndecided(error);
  return (
    <Notice tone="danger" title={isOpen ? t`No clear answer` : t`Nothing was posted`} isAnnounced>
      {about !== undefined && (
        <p>
          <Trans>
            Refused for <bdi>{about}</bdi>.
          </Trans>
        </p>
      )}
      <p>
        {isOpen
          ? t`${error.message} It may or may not have been posted. Post it again as it stands: it counts only once.`
          : error.message}
      </p>
    </Notice>
  );
}
