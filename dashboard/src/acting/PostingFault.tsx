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
    <Notice tone="danger" title={isOpen ? 'No clear answer' : 'Nothing was posted'} isAnnounced>
      {about !== undefined && (
        <p>
          Refused for <bdi>{about}</bdi>.
        </p>
      )}
      <p>
        {isOpen
          ? `${error.message} It may or may not have been posted. Post it again as it stands: it counts only once.`
          : error.message}
      </p>
    </Notice>
  );
}
