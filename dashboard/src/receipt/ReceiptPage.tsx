import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { lazily } from '../components/lazily.ts';
import { PageHeader } from '../components/PageHeader.tsx';
import { receiptInFragment } from '../components/receipt-address.ts';
import { checkReceipt, keyIn, type ReceiptCheck, type StepName, type StepResult } from './check-receipt.ts';
import { PathPicture } from './PathPicture.tsx';
import classes from './ReceiptPage.module.css';
import { TransactionFacts } from './TransactionFacts.tsx';

/** A receipt has a few kilobytes. */
const fileBytesMax = 1_000_000;

/** The lines inside of the circle of each state. */
const marks = {
  right: 'M6 10.5l2.8 2.8L14 7.5',
  wrong: 'M7 7l6 6M13 7l-6 6',
  open: 'M6.5 10h7',
  yours: 'M10 5.5v5.5M10 14v.2',
} as const;
const stateWords = lazily(
  () =>
    ({
      right: t`Right`,
      wrong: t`Wrong`,
      open: t`Not checked`,
      yours: t`For you to check`,
    }) as const,
);
const stepTexts = lazily(
  (): Record<StepName, string> => ({
    read: t`The receipt is complete.`,
    key: t`The guild’s checkpoint is signed with the key that you trust.`,
    signature: t`The signature belongs to this checkpoint, letter by letter.`,
    path: t`The transaction leads to the signed root, so the ledger contained exactly this transaction.`,
  }),
);
const wrongTexts = lazily(
  (): Record<StepName, string> => ({
    read: t`The receipt is not complete.`,
    key: t`The guild’s checkpoint is not signed with the key that you trust.`,
    signature: t`The signature does not belong to this checkpoint: one of the two was changed.`,
    path: t`The transaction does not lead to the signed root: it was changed, or is not in this ledger.`,
  }),
);
const openTexts = lazily(
  (): Record<StepName, string> => ({
    read: t`Whether the receipt is complete.`,
    key: t`Whether the guild’s checkpoint is signed with the key that you trust.`,
    signature: t`Whether the signature belongs to this checkpoint.`,
    path: t`Whether the transaction leads to the signed root.`,
  }),
);
const ownKeyText = () =>
  t`The checkpoint is signed with the key that the receipt itself names. Anybody can make a key, so compare it with the one that your guild has published.`;

const textsOf = {
  right: stepTexts,
  wrong: wrongTexts,
  open: openTexts,
  yours: () => ({ ...stepTexts(), key: ownKeyText() }),
} as const;

/** Checks receipts in the browser. The service is asked nothing: the page works without a connection once it is loaded. */
export function ReceiptPage() {
  const [text, setText] = useState(() => receiptInFragment(window.location.hash) ?? '');
  const [typedKey, setTypedKey] = useState<string>();
  const [check, setCheck] = useState<ReceiptCheck>();
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const ownKey = keyIn(text);
  const key = typedKey ?? ownKey ?? '';

  useEffect(() => {
    const follow = () => setText(receiptInFragment(window.location.hash) ?? '');
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);

  useEffect(() => {
    let isPresent = true;
    if (text.trim() === '') {
      setCheck(undefined);
    } else {
      checkReceipt(text, { verifierKey: key, isEntered: typedKey !== undefined }).then((result) => {
        if (isPresent) setCheck(result);
      });
    }
    return () => {
      isPresent = false;
    };
  }, [text, key, typedKey]);

  async function readFile(given: File | undefined): Promise<void> {
    if (given) setText(await given.slice(0, fileBytesMax).text());
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsDraggedOver(false);
    readFile(event.dataTransfer.files[0]);
  }

  return (
    <>
      <PageHeader title={t`Receipt`} />
      <main
        id="content"
        className={classes.page}
        data-dragged={isDraggedOver || undefined}
        data-checked={check !== undefined || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsDraggedOver(true);
        }}
        onDragLeave={() => setIsDraggedOver(false)}
        onDrop={drop}
      >
        <h1 className={classes.title}>
          <Trans>Check a receipt</Trans>
        </h1>
        <p className={classes.lead}>
          <Trans>
            A receipt proves that a guild’s ledger contained a transaction. Your browser checks it here and
            sends it to nobody.
          </Trans>
        </p>
        <div className={classes.layout}>
          <div className={classes.form}>
            <TextField
              label={t`Receipt`}
              description={t`Paste it, drop its file here, or choose the file.`}
              value={text}
              onChange={setText}
              rows={6}
            />
            <input
              ref={file}
              type="file"
              hidden
              onChange={(event) => readFile(event.currentTarget.files?.[0])}
              aria-label={t`File of the receipt`}
            />
            <button type="button" className={classes.button} onClick={() => file.current?.click()}>
              <Trans>Choose a file</Trans>
            </button>
            <TextField
              label={t`Verifier key of the guild`}
              description={t`Ask your guild for it once, and keep it. It is the same for everybody.`}
              value={typedKey ?? ''}
              onChange={(value) => setTypedKey(value.trim() || undefined)}
              rows={2}
            />
          </div>
          {check && <Result check={check} verifierKey={key} />}
        </div>
      </main>
    </>
  );
}

function Result({ check, verifierKey }: { check: ReceiptCheck; verifierKey: string }) {
  const { steps, fault, isKeyEntered, receipt, path } = check;
  const tone = fault !== undefined ? 'wrong' : isKeyEntered ? 'right' : 'yours';
  return (
    <section className={classes.result} aria-label={t`Result`} data-tone={tone}>
      <p className={classes.verdict} role="status">
        {tone === 'wrong' && fault}
        {tone === 'right' && t`This receipt is right.`}
        {tone === 'yours' && t`This receipt is right, if this key is your guild’s.`}
      </p>
      {tone === 'yours' && <p className={classes.key}>{verifierKey}</p>}
      <ol className={classes.steps}>
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
      {receipt && <TransactionFacts receipt={receipt} />}
      {path && <PathPicture path={path} />}
    </section>
  );
}

function Step({ step: { name, state } }: { step: StepResult }) {
  return (
    <li className={classes.step} data-state={state}>
      <svg className={classes.icon} viewBox="0 0 20 20" width={20} height={20} aria-hidden="true">
        <circle cx={10} cy={10} r={8.5} />
        <path d={marks[state]} />
      </svg>
      <span>
        <span className={classes.state}>{stateWords()[state]}.</span> {textsOf[state]()[name]}
      </span>
    </li>
  );
}

interface TextFieldProps {
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  rows: number;
}

/** Plain elements: the library's field would double the code of this page. */
function TextField({ label, description, value, onChange, rows }: TextFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <p id={`${id}-description`} className={classes.description}>
        {description}
      </p>
      <textarea
        id={id}
        className={classes.code}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        rows={rows}
        spellCheck={false}
        aria-describedby={`${id}-description`}
      />
    </div>
  );
}
