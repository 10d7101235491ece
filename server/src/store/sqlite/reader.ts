import { type ReadFunctions, readFunctions } from '../jobs.ts';
import { LONG_READS } from '../long-reads.ts';
import { type Reply, toReply } from '../reply.ts';
import { serveWorkerThread } from '../worker-thread-service.ts';
import { openConnection } from './connection.ts';
import { createSnapshot } from './engine.ts';
import { createExportReads, type ExportReads } from './export-reads.ts';
import { faultKind, toDomainError } from './faults.ts';
import { createLedgerReads } from './ledger.ts';
import { createAccountViewReads } from './ledger-views.ts';
import { createRecordReadings, type RecordReadings } from './record-readings.ts';
import { createSql } from './sql.ts';

/** Page cache. These reads visit each row once, so there is little to keep. */
const CACHE_KIBIBYTES = 2 * 1024;

/** The reads that visit many rows. A reader thread runs them, so that they never delay anything else. */
export type LongReads = ReturnType<typeof createLedgerReads> &
  ReturnType<typeof createAccountViewReads> &
  ExportReads &
  RecordReadings &
  ReadFunctions<typeof LONG_READS>;

export interface NamedRead {
  name: keyof LongReads;
  input: unknown;
}

function openReads(file: string) {
  const db = openConnection(file);
  db.exec(`PRAGMA query_only = ON; PRAGMA cache_size = -${CACHE_KIBIBYTES}`);
  const { closeAll, ...readings } = createRecordReadings(file);
  const reads: LongReads = {
    ...createLedgerReads(db),
    ...createAccountViewReads(db),
    ...createExportReads(db),
    ...readings,
    ...readFunctions(LONG_READS, createSnapshot(db, createSql(db))),
  };
  return {
    reads,
    close() {
      closeAll();
      db.close();
    },
  };
}

serveWorkerThread<NamedRead, Reply>((file) => {
  // The first read opens the connection and reports a failure to open. After a passing failure the next read tries
  // again.
  let opened: ReturnType<typeof openReads> | undefined;
  return {
    async answer({ name, input }) {
      try {
        opened ??= openReads(file);
        // The sender is typed by the same set of reads, so the input fits the name.
        return { value: await (opened.reads[name] as (input: unknown) => unknown)(input) };
      } catch (error) {
        if (faultKind(error) === 'fatal') {
          throw error;
        }
        return toReply(toDomainError(error));
      }
    },
    close() {
      opened?.close();
    },
  };
});
