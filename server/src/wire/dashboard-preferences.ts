import { enveloped } from './envelope.ts';
import { choice, ID_LENGTH_MAX, LINE_FORMAT } from './text.ts';
import { Type } from './type.ts';

export const TIME_ZONE_LENGTH_MAX = 64;
const VIEW_NAME_LENGTH_MAX = 60;
const VIEW_SEARCH_LENGTH_MAX = 500;
const VIEWS_MAX = 20;
const COLUMNS_MAX = 20;

const SavedView = Type.Object({
  guildId: Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX, format: LINE_FORMAT }),
  name: Type.String({ minLength: 1, maxLength: VIEW_NAME_LENGTH_MAX, format: LINE_FORMAT }),
  search: Type.String({ maxLength: VIEW_SEARCH_LENGTH_MAX, format: LINE_FORMAT }),
});

const timeZone = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: TIME_ZONE_LENGTH_MAX,
  description: 'Times are shown in this zone, such as Europe/Berlin; null follows the browser.',
});
const density = choice(['comfortable', 'compact'], { description: 'Density of the rows.' });
const hiddenColumns = Type.Array(Type.String({ minLength: 1, maxLength: 40, format: LINE_FORMAT }), {
  maxItems: COLUMNS_MAX,
  description: 'Columns of the ledger that are left out.',
});
const views = Type.Array(SavedView, { maxItems: VIEWS_MAX, description: 'Saved views of ledgers.' });

export const Preferences = Type.Object({ timeZone, density, hiddenColumns, views });

/** Missing fields keep their values. */
export const PreferencesBody = Type.Object({
  timeZone: Type.Optional(timeZone),
  density: Type.Optional(density),
  hiddenColumns: Type.Optional(hiddenColumns),
  views: Type.Optional(views),
});

export const PreferencesReply = enveloped(Preferences);
