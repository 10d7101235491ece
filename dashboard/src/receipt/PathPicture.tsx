import { plural, t } from '@lingui/core/macro';
import { toBase64 } from '../../../client/src/seal/bytes.ts';
import type { ReceiptPath } from './check-receipt.ts';
import classes from './PathPicture.module.css';

const rowHeight = 52;
/** Room for the lines of the outer boxes. */
const edge = 2;
const boxHeight = 28;
const width = 340;
const boxWidth = 104;
/** The box of the root has a word before its hash. */
const rootWidth = 136;
const middle = width / 2;
const siblingX = { left: boxWidth / 2, right: width - boxWidth / 2 } as const;

const shortHash = (hash: Uint8Array) => `${toBase64(hash).slice(0, 10)}…`;

/** Draws how the hash of the transaction leads to the root: at each step it is hashed together with one more. */
export function PathPicture({ path }: { path: ReceiptPath }) {
  const { leafHash, steps, signedRoot, isRight } = path;
  const height = (steps.length + 1) * rowHeight + boxHeight + 2 * edge;
  const rowY = (row: number) => height - edge - boxHeight - row * rowHeight;
  const label = isRight
    ? plural(steps.length, {
        one: '# hash leads from the transaction to the signed root',
        other: '# hashes lead from the transaction to the signed root',
      })
    : plural(steps.length, {
        one: '# hash leads from the transaction to another root than the signed one',
        other: '# hashes lead from the transaction to another root than the signed one',
      });
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
      data-tone={isRight ? 'right' : 'wrong'}
    >
      {steps.map(({ side, sibling, hash }, row) => (
        <g key={toBase64(hash)}>
          <line
            className={classes.way}
            x1={middle}
            y1={rowY(row)}
            x2={middle}
            y2={rowY(row + 1) + boxHeight}
          />
          <line
            className={classes.branch}
            x1={siblingX[side]}
            y1={rowY(row)}
            x2={middle}
            y2={rowY(row + 1) + boxHeight}
          />
          <Box x={siblingX[side]} y={rowY(row)} text={shortHash(sibling)} kind="sibling" />
        </g>
      ))}
      <line
        className={classes.way}
        x1={middle}
        y1={rowY(steps.length)}
        x2={middle}
        y2={rowY(steps.length + 1) + boxHeight}
        strokeDasharray={isRight ? undefined : '4 4'}
      />
      <Box x={middle} y={rowY(0)} text={t`Transaction`} kind="way" />
      {[leafHash, ...steps.map(({ hash }) => hash)].slice(1).map((hash, index) => (
        <Box key={toBase64(hash)} x={middle} y={rowY(index + 1)} text={shortHash(hash)} kind="way" />
      ))}
      <Box
        x={middle}
        y={rowY(steps.length + 1)}
        text={t`Signed ${shortHash(signedRoot).slice(0, 7)}…`}
        kind="root"
      />
    </svg>
  );
}

function Box({ x, y, text, kind }: { x: number; y: number; text: string; kind: 'sibling' | 'way' | 'root' }) {
  const ownWidth = kind === 'root' ? rootWidth : boxWidth;
  return (
    <>
      <rect
        className={classes.box}
        data-kind={kind}
        x={x - ownWidth / 2}
        y={y}
        width={ownWidth}
        height={boxHeight}
        rx={6}
      />
      <text className={classes.text} data-kind={kind} x={x} y={y + boxHeight / 2}>
        {text}
      </text>
    </>
  );
}
