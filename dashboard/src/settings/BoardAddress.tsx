import { t } from '@lingui/core/macro';
import { Breakable } from '../components/Breakable.tsx';
import { CopyAction } from '../components/CopyAction.tsx';
import classes from './Board.module.css';
import { embedCode } from './board-form.ts';

interface BoardAddressProps {
  address: string;
  isPublished: boolean;
}

/** The addresses of a board whose name is chosen, each with a button that copies it. */
export function BoardAddress({ address, isPublished }: BoardAddressProps) {
  const places = [
    { label: t`Page`, text: address, isLink: true },
    { label: t`Numbers as JSON`, text: `${address}.json`, isLink: true },
    { label: t`For your own site`, text: embedCode(address), isLink: false },
  ];
  return (
    <dl className={classes.places}>
      {places.map(({ label, text, isLink }) => (
        <div key={label} className={classes.place}>
          <dt>{label}</dt>
          <dd>
            {isLink && isPublished ? (
              <a href={text} target="_blank" rel="noreferrer">
                <Breakable>{text}</Breakable>
              </a>
            ) : (
              <code>{text}</code>
            )}
            <CopyAction value={text} label={t`Copy: ${label}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
