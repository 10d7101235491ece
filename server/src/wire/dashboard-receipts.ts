import { enveloped } from './envelope.ts';
import { Receipt } from './seal.ts';
import { Type } from './type.ts';

/** The receipt of a transaction, against the latest checkpoint. */
export const TransactionReceiptReply = enveloped(Type.Object({ receipt: Receipt }));
