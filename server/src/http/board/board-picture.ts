import type { BoardFacts } from '../../domain/board/read-board.ts';
import type { BoardTexts } from '../../texts/texts.ts';
import { barShares } from './board-chart.ts';
import { boardTexts, formatCount, formatMoney } from './board-texts.ts';
import { type Canvas, createCanvas } from './canvas.ts';
import { drawable, segmentsOf, widthOf } from './stroke-font.ts';

/** The size that chats and X show without cutting anything off. */
export const PICTURE_WIDTH = 1_200;
export const PICTURE_HEIGHT = 630;
const MARGIN = 72;
const INNER = PICTURE_WIDTH - 2 * MARGIN;
/** Readable on light and dark chat themes. */
const BACKGROUND = 0x121a16;
const COLORS = [0xf1f5f3, 0x93a39b, 0x4fb286, 0xd9924c, 0x2a3630];
const [TEXT, MUTED, IN, OUT, LINE] = [0, 1, 2, 3, 4] as const;
const CHART = { top: 330, height: 210 };

/** The picture of a board for links in chats, as a PNG file: the guild's name, its totals and the chart, as far as they are shown. */
export function drawBoard(facts: BoardFacts): Buffer {
  const canvas = createCanvas({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT }, BACKGROUND, COLORS);
  const { guild, totals, days } = facts;
  const texts = pictureTexts(guild);
  // Names in other scripts have no glyphs here. Chats show them as the title of the link.
  const isPlain = totals === undefined && days === undefined;
  const top = isPlain ? 300 : 120;
  write(canvas, drawable(guild.name) ?? texts.subtitle, { y: top, height: 46, color: TEXT, thickness: 7 });
  if (drawable(guild.name) !== undefined) {
    write(canvas, texts.subtitle, { y: top + 54, height: 20, color: MUTED, thickness: 3 });
  }
  if (totals !== undefined) {
    const sum = formatMoney(totals.balanceUnits, guild);
    const plainSum = formatMoney(totals.balanceUnits, {
      ...guild,
      currencyName: undefined,
      currencySymbol: undefined,
    });
    const figures: [string, string, number][] = [
      [texts.inCirculation, drawable(withoutMarks(sum)) ?? withoutMarks(plainSum), INNER * 0.5],
      [texts.accounts, formatCount(totals.accounts, guild), INNER * 0.22],
      [texts.transactions, formatCount(totals.transactions, guild), INNER * 0.24],
    ];
    let x = MARGIN;
    const y = days === undefined ? 400 : 270;
    for (const [label, value, width] of figures) {
      write(canvas, value, { x, y, height: 34, color: TEXT, thickness: 5, widthMax: width - 30 });
      write(canvas, label, { x, y: y + 36, height: 15, color: MUTED, thickness: 2.5 });
      x += width;
    }
  }
  if (days !== undefined) {
    drawDays(canvas, days, totals === undefined ? { top: 240, height: 300 } : CHART);
    write(canvas, texts.chart, { y: PICTURE_HEIGHT - 44, height: 15, color: MUTED, thickness: 2.5 });
  }
  return canvas.toPng();
}

function drawDays(
  canvas: Canvas,
  days: NonNullable<BoardFacts['days']>,
  { top, height }: { top: number; height: number },
): void {
  const { zero, bars } = barShares(days);
  const step = INNER / days.length;
  const level = Math.round(top + zero * height);
  const tall = (share: number) => (share === 0 ? 0 : Math.max(2, Math.round(share * height)));
  bars.forEach(({ up, down }, index) => {
    const left = Math.round(MARGIN + index * step);
    const width = Math.max(1, Math.round(step) - 3);
    canvas.fill({ left, top: level - tall(up), width, height: tall(up) }, IN);
    canvas.fill({ left, top: level, width, height: tall(down) }, OUT);
  });
  canvas.fill({ left: MARGIN, top: level - 1, width: INNER, height: 2 }, LINE);
}

/** The font has Latin letters only. In a language of other letters the picture is in English. */
function pictureTexts(guild: BoardFacts['guild']): BoardTexts {
  const texts = boardTexts(guild);
  return drawable(texts.subtitle) === undefined ? boardTexts({}) : texts;
}

interface Written {
  x?: number;
  /** The baseline. */
  y: number;
  height: number;
  color: number;
  thickness: number;
  widthMax?: number;
}

/** Writes a text, smaller if it is too long, and cut off if it would be too small to read. */
function write(canvas: Canvas, given: string, written: Written): void {
  const { x = MARGIN, y, color, widthMax = INNER } = written;
  let text = drawable(given) ?? '';
  const smallest = written.height * 0.55;
  while (widthOf(text, smallest) > widthMax && text.length > 4) {
    text = `${text.slice(0, -4)}...`;
  }
  const height = Math.min(
    written.height,
    (written.height * widthMax) / Math.max(1, widthOf(text, written.height)),
  );
  const thickness = Math.max(2, (written.thickness * height) / written.height);
  canvas.stroke(segmentsOf(text, { x, y, height }), thickness, color);
}

/** The marks that isolate directions are not drawn. */
function withoutMarks(text: string): string {
  return text.replaceAll(/[\u2068\u2069]/g, '');
}
