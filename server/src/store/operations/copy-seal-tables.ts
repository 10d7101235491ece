/** The tables of the sealed logs: keys, logs and tiles. */
export const SEAL_TABLES = [
  {
    name: 'seal_key',
    key: ['key_no'],
    columns: {
      key_no: 'number',
      name: 'text',
      public_key: 'text',
      sealed_secret: 'text',
      created_at: 'number',
      retired_at: 'number',
    },
  },
  {
    name: 'seal_log',
    key: ['guild_no'],
    columns: {
      guild_no: 'number',
      first_number: 'number',
      size: 'number',
      tiled: 'number',
      frontier: 'bytes',
      checkpoint: 'text',
      sealed_at: 'number',
      lease_holder: 'text',
      lease_until: 'number',
    },
  },
  {
    name: 'seal_tile',
    key: ['guild_no', 'level', 'tile_no'],
    columns: { guild_no: 'number', level: 'number', tile_no: 'number', hashes: 'bytes' },
  },
] as const;
