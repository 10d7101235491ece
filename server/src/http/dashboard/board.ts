import { actorOf } from '../../domain/access/actors.ts';
import { type BoardSettings, requireBoardName, USUAL_BOARD } from '../../domain/board/board.ts';
import { decimalText, unitsFromNumber } from '../../domain/ledger/amount.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { BoardBody, BoardPreviewQuery, BoardPreviewReply, BoardReply } from '../../wire/dashboard-board.ts';
import { answerJson } from '../answer.ts';
import { boardPage } from '../board/board-page.ts';
import { drawBoard } from '../board/board-picture.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const getBoard = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/board',
  params: DashboardGuildParams,
  reply: BoardReply,
} satisfies Route;

const putBoard = { ...getBoard, method: 'PUT', body: BoardBody } satisfies Route;

const getPreview = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/board/preview',
  params: DashboardGuildParams,
  query: BoardPreviewQuery,
  reply: BoardPreviewReply,
} satisfies Route;

/** The settings of a guild's public page, and the page as it would be with other settings. */
export const BOARD_SETTINGS_ENDPOINTS = [
  forSession(getBoard, ({ guilds, store }) => async ({ params: { guildId } }) => {
    const board = await store.boards.find(await guilds.find(guildId));
    return answerJson({ success: true, data: toWire(board ?? { ...USUAL_BOARD, name: null }) });
  }),
  forSession(putBoard, ({ guilds, store, clock }) => async ({ who, params: { guildId }, body }) => {
    const { movesMin, ...rest } = body;
    requireBoardName(rest.name);
    const movesMinUnits = movesMin === null ? undefined : unitsFromNumber('movesMin', movesMin);
    const board = { ...rest, movesMinUnits };
    const change = { actor: actorOf(who.session), atMs: clock.nowMs() };
    await store.boards.set(await guilds.find(guildId), board, change);
    return answerJson({ success: true, data: toWire(board) });
  }),
  forSession(
    getPreview,
    ({ guilds, readBoard, origin }) =>
      async ({ params: { guildId }, query: { parts = [], movesMin } }) => {
        const shown = {
          names: parts.includes('names'),
          leaderboard: parts.includes('leaderboard'),
          totals: parts.includes('totals'),
          chart: parts.includes('chart'),
          movesMinUnits: movesMin === undefined ? undefined : unitsFromNumber('movesMin', movesMin),
          commands: parts.includes('commands'),
        };
        const facts = await readBoard(await guilds.find(guildId), shown);
        const html = boardPage(facts, { origin: origin(), name: 'preview' });
        const picture = `data:image/png;base64,${drawBoard(facts).toString('base64')}`;
        return answerJson({ success: true, data: { html, picture } });
      },
  ),
];

function toWire(board: BoardSettings & { name: string | null }): object {
  const { name, isPublished, names, leaderboard, totals, chart, movesMinUnits, commands } = board;
  const movesMin = movesMinUnits === undefined ? null : decimalText(movesMinUnits);
  return { name, isPublished, names, leaderboard, totals, chart, movesMin, commands };
}
