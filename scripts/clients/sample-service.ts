import path from 'node:path';
import { endNow, startServer } from '../../server/test/support/process.ts';

/** `guildbook demo` with sample data of its own. */
export interface SampleService {
  address: string;
  /** The printed key of the sample guild, with all scopes. */
  key: string;
  databaseUrl: string;
  stop(): Promise<void>;
}

export async function startSampleService(folder: string): Promise<SampleService> {
  const databaseUrl = `sqlite:${path.join(folder, 'demo.db')}`;
  const server = await startServer({ cwd: folder, env: { DATABASE_URL: databaseUrl }, command: 'demo' });
  const key = /Demo key\s+(gbk_\w+)/.exec(server.output.join('\n'))?.[1];
  if (key === undefined) {
    throw new Error(`the demo printed no key:\n${server.output.join('\n')}`);
  }
  return { address: server.address, key, databaseUrl, stop: () => endNow(server.child) };
}
