import { pino } from 'pino';
import { openToolbox, systemClock, systemIds, type Toolbox } from '../compose.ts';
import { readConfig } from '../config.ts';

/** Opens the configured store for one short command and closes it again, whatever happens. */
export async function withToolbox<Result>(work: (toolbox: Toolbox) => Promise<Result>): Promise<Result> {
  const toolbox = await openToolbox(readConfig(process.env), {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'silent' }),
    onFatal(error) {
      console.error(`guildbook: the store failed: ${error.message}`);
      process.exit(1);
    },
  });
  try {
    return await work(toolbox);
  } finally {
    await toolbox.close();
  }
}
