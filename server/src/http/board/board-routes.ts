import type { Route } from '../endpoint.ts';
import { forAnybody, type Served } from '../served.ts';
import type { BoardForm } from './boards.ts';

const boardRoute = (path: string) =>
  ({
    method: 'GET',
    path,
    access: 'public',
    errorShape: 'enveloped',
    unknownParameters: 'ignored',
    isBesideList: true,
  }) satisfies Route;

/** The public pages of guilds. They need no sign-in, no key and no limits: they come from memory. */
export const BOARD_ENDPOINTS: readonly Served[] = [
  forAnybody(boardRoute('/board/{name}'), ({ boards }) => ({ request }) => {
    const { name, form } = readAddress(request.params.name ?? '');
    return boards(request, name, form);
  }),
  forAnybody(
    boardRoute('/board/{name}/embed'),
    ({ boards }) =>
      ({ request }) =>
        boards(request, request.params.name ?? '', 'embed'),
  ),
];

/** `name`, `name.json` and `name.png`. A name has no points. */
function readAddress(address: string): { name: string; form: BoardForm } {
  if (address.endsWith('.json')) {
    return { name: address.slice(0, -'.json'.length), form: 'json' };
  }
  return address.endsWith('.png')
    ? { name: address.slice(0, -'.png'.length), form: 'picture' }
    : { name: address, form: 'page' };
}
