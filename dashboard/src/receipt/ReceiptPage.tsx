import { Button, Textarea } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed, IconCircleX, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { Facts } from '../components/Facts.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { receiptInFragment } from '../components/receipt-address.ts';
import { checkReceipt, keyIn, type ReceiptCheck, type StepName, type StepResult } from './check-receipt.ts';
import { PathPicture } from './PathPicture.tsx';
import classes from './ReceiptPage.module.css';
import { transactionFacts } from './transaction-facts.ts';

/** A receipt has a few kilobytes. */
const fileBytesMax = 1_000_000;

const icons = { right: IconCircleCheck, wrong: IconCircleX, open: IconCircleDashed } as const;
const stateWords = { right: 'Right', wrong: 'Wrong', open: 'Not checked' } as const;
const stepTexts: Record<StepName, string> = {
  read: 'The receipt is complete.',
  key: 'The guild’s checkpoint is signed with the key that you trust.',
  signature: 'The signature belongs to this checkpoint, letter by letter.',
  path: 'The transaction leads to the signed root, so the ledger contained exactly this transaction.',
};

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
      checkReceipt(text, key).then((result) => {
        if (isPresent) setCheck(result);
      });
    }
    return () => {
      isPresent = false;
    };
  }, [text, key]);

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
      <PageHeader title="Receipt" />
      <main
        id="content"
        className={classes.page}
        data-dragged={isDraggedOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsDraggedOver(true);
        }}
        onDragLeave={() => setIsDraggedOver(false)}
        onDrop={drop}
      >
        <h1 className={classes.title}>Check a receipt</h1>
        <p className={classes.lead}>
          A receipt proves that a guild’s ledger contained a transaction. Your browser checks it here and
          sends it to nobody.
        </p>
        <div className={classes.form}>
          <Textarea
            label="Receipt"
            description="Paste it, drop its file here, or choose the file."
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            rows={6}
            spellCheck={false}
            classNames={{ input: classes.code }}
          />
          <input
            ref={file}
            type="file"
            hidden
            onChange={(event) => readFile(event.currentTarget.files?.[0])}
            aria-label="File of the receipt"
          />
          <Button
            variant="default"
            leftSection={<IconUpload size={16} />}
            onClick={() => file.current?.click()}
          >
            Choose a file
          </Button>
          <Textarea
            label="Verifier key of the guild"
            description="Ask your guild for it once, and keep it. It is the same for everybody."
            value={key}
            onChange={(event) => setTypedKey(event.currentTarget.value.trim() || undefined)}
            autosize={false}
            rows={2}
            spellCheck={false}
            classNames={{ input: classes.code }}
          />
          {check && typedKey === undefined && ownKey !== undefined && (
            <Notice tone="warning">
              This key comes from the receipt itself. Compare it with the one that your guild has published.
            </Notice>
          )}
        </div>
        {check && <Result check={check} />}
      </main>
    </>
  );
}

function Result({ check: { steps, fault, receipt, path } }: { check: ReceiptCheck }) {
  const isRight = fault === undefined;
  return (
    <section className={classes.result} aria-label="Result" data-tone={isRight ? 'right' : 'wrong'}>
      <p className={classes.verdict} role="status">
        {isRight ? 'This receipt is right.' : `This receipt does not hold. ${fault}`}
      </p>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
      {receipt && <Facts facts={transactionFacts(receipt)} />}
      {path && <PathPicture path={path} />}
    </section>
  );
}

function Step({ step: { name, state } }: { step: StepResult }) {
  const Icon = icons[state];
  return (
    <li className={classes.step} data-state={state}>
      <Icon size={20} stroke={1.8} className={classes.icon} aria-hidden="true" />
      <span>
        <span className={classes.state}>{stateWords[state]}.</span> {stepTexts[name]}
      </span>
    </li>
  );
}
