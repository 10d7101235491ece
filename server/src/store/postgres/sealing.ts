import { type Reply, toReply } from '../reply.ts';
import { type GrowthInput, SEAL_READS } from '../seal/growth.ts';
import { serveWorkerThread } from '../worker-thread-service.ts';
import { parseDatabaseUrl } from './connection.ts';
import { toDomainError } from './faults.ts';
import { createReads } from './read.ts';

// The thread of `sealing-thread.ts`.

serveWorkerThread<GrowthInput, Reply>((url) => {
  // Requests are answered one at a time.
  const reads = createReads({ ...parseDatabaseUrl(url), connections: 1 });
  return {
    async answer(input) {
      try {
        return { value: await reads.inSnapshot((sql) => SEAL_READS.growSeal(sql, input)) };
      } catch (error) {
        return toReply(toDomainError(error));
      }
    },
    close: reads.close,
  };
});
