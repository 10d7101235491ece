import { createCache } from '../cache.ts';
import { DomainError, OperatorError } from '../errors.ts';
import { isTransactionId, missingTransaction } from '../ledger/entries.ts';
import type { GuildRef } from '../model.ts';
import type { Store } from '../ports.ts';
import { type Bytes, HASH_BYTES, toUtf8 } from './bytes.ts';
import { checkInclusion } from './check-proofs.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { type Leaf, leafText, toLeaf } from './leaf.ts';
import { formatProof } from './proof-text.ts';
import { originOf, type SealKeys, type SealKeyset } from './seal-keys.ts';
import type { SealLog, SealState } from './seal-store.ts';
import {
  consistencyRanges,
  hashRanges,
  inclusionRanges,
  type NodeCache,
  parseTilePath,
  type Subtree,
  type TileName,
  tileWidth,
} from './tiles.ts';
import { hashLeaf, sha256, splitHashes, TILE_WIDTH } from './tree.ts';

/** How far a guild's ledger is sealed. */
export interface SealStatus {
  origin: string;
  /** The keys that check signatures of this log, the newest first. */
  verifierKeys: string[];
  /** The number of the transaction that is the first leaf. */
  firstNumber: number;
  size: number;
  /** Transactions that are not sealed yet. */
  behind: number;
  sealedAtMs: number | undefined;
  checkpoint: string | undefined;
}

/** A transaction with the proof that the log has it. */
export interface Receipt {
  origin: string;
  index: number;
  transaction: Leaf;
  /** The inclusion proof, from the leaf's sibling to the root's child. */
  proof: Bytes[];
  checkpoint: string;
  verifierKey: string;
}

export interface ConsistencyProof {
  from: number;
  size: number;
  proof: Bytes[];
  checkpoint: string;
}

const RETRY_SECONDS = 1;
/** Inner nodes of all logs in memory, about two megabytes. */
const NODES_CACHED_MAX = 8_000;
/** Full tiles above level 0 of all logs in memory, about two megabytes. Ten million leaves have 152 of them. */
const TILES_CACHED_MAX = 256;

export interface SealsParts {
  store: Pick<Store, 'seals' | 'entries' | 'guilds'>;
  keys: Pick<SealKeys, 'read' | 'verifierKeys'>;
}

/** Answers about sealed ledgers. */
export function createSeals({ store: { seals, entries, guilds }, keys }: SealsParts) {
  function requireLog({ log }: SealState): SealLog {
    if (log === undefined) {
      throw new DomainError('not_sealed_yet', { retryAfterSeconds: RETRY_SECONDS });
    }
    return log;
  }

  /** Without the operator's key there are none, and nothing is sealed. */
  async function readKeys(): Promise<SealKeyset> {
    try {
      return await keys.read();
    } catch (cause) {
      throw cause instanceof OperatorError
        ? new DomainError('not_sealed_yet', { retryAfterSeconds: RETRY_SECONDS, cause })
        : cause;
    }
  }

  const nodes = createCache<Uint8Array>(NODES_CACHED_MAX);

  function cacheOf({ guildNo }: GuildRef): NodeCache {
    const keyOf = ({ height, index }: Subtree) => `${guildNo} ${height} ${index}`;
    return {
      get: (subtree) => nodes.get(keyOf(subtree)),
      set: (subtree, hash) => nodes.set(keyOf(subtree), hash),
    };
  }

  const tiles = createCache<Uint8Array>(TILES_CACHED_MAX);

  /** A full tile never changes. Those of level 0 are too many to be found in a cache. */
  async function readTile(guild: GuildRef, log: SealLog, name: TileName): Promise<Uint8Array> {
    const isKept = name.level > 0 && tileWidth(name, log.size) === TILE_WIDTH;
    const key = `${guild.guildNo} ${name.level} ${name.tileNo}`;
    const known = isKept ? tiles.get(key) : undefined;
    if (known !== undefined) {
      return known;
    }
    const hashes = await seals.tile(guild, log, name);
    if (isKept) {
      tiles.set(key, hashes);
    }
    return hashes;
  }

  async function proofOf(guild: GuildRef, log: SealLog, ranges: ReturnType<typeof inclusionRanges>) {
    const tree = { size: log.size, frontier: splitHashes(log.frontier) };
    const hashes = await hashRanges(tree, ranges, (name) => readTile(guild, log, name), cacheOf(guild));
    return hashes.map((hash) => Uint8Array.from(hash));
  }

  /** The log of a guild that lets everybody read it. For any other guild there is no such path. */
  async function requirePublic(guildId: string): Promise<{ guild: GuildRef; log: SealLog }> {
    const guild = await guilds.find(guildId);
    const { log } = guild?.sealPublic === true ? await seals.state(guild) : {};
    if (guild === undefined || log === undefined) {
      throw new DomainError('path_not_found');
    }
    return { guild, log };
  }

  async function receipt(guild: GuildRef, transactionId: string): Promise<Receipt> {
    const found = isTransactionId(transactionId) && (await seals.transaction(guild, transactionId));
    if (!found) {
      throw await missingTransaction(entries, guild, transactionId);
    }
    const log = requireLog(await seals.state(guild));
    const index = found.number - log.firstNumber;
    if (index >= log.size) {
      throw new DomainError('not_sealed_yet', { retryAfterSeconds: RETRY_SECONDS });
    }
    const transaction = toLeaf(found);
    const proof = await proofOf(guild, log, inclusionRanges(index, log.size));
    const { origin, root, size } = parseCheckpoint(log.checkpoint);
    const leafHash = hashLeaf(leafText(transaction));
    // Nobody gets a receipt that does not hold: the store was changed, and `verify` names where.
    await checkInclusion({ index, size, leafHash, hashes: proof }, root, sha256).catch((cause) => {
      nodes.clear();
      tiles.clear();
      throw new DomainError('internal', { cause });
    });
    const [verifierKey = ''] = await keys.verifierKeys(guild.guildId);
    return { origin, index, transaction, proof, checkpoint: log.checkpoint, verifierKey };
  }

  return {
    async status(guild: GuildRef): Promise<SealStatus> {
      const { lastNumber, archivedNumber, log } = await seals.state(guild);
      const { name } = await readKeys();
      const { firstNumber = archivedNumber + 1, size = 0 } = log ?? {};
      return {
        origin: originOf(name, guild.guildId),
        verifierKeys: await keys.verifierKeys(guild.guildId),
        firstNumber,
        size,
        behind: Math.max(lastNumber - (firstNumber + size - 1), 0),
        sealedAtMs: log?.sealedAtMs,
        checkpoint: log?.checkpoint,
      };
    },
    receipt,
    /** The receipt in the text form of tlog-proof, with the text of the leaf as extra data. */
    async receiptText(guild: GuildRef, transactionId: string): Promise<string> {
      const { index, transaction, proof, checkpoint } = await receipt(guild, transactionId);
      return formatProof({ extra: toUtf8(leafText(transaction)), index, hashes: proof, checkpoint });
    },
    /** Proves that the present log begins with the first `from` leaves of an older checkpoint. */
    async consistency(guild: GuildRef, from: number): Promise<ConsistencyProof> {
      const log = requireLog(await seals.state(guild));
      if (from > log.size) {
        throw new DomainError('invalid_input', { detail: 'from must not be larger than the log' });
      }
      const proof = await proofOf(guild, log, consistencyRanges(from, log.size));
      return { from, size: log.size, proof, checkpoint: log.checkpoint };
    },
    async publicCheckpoint(guildId: string): Promise<string> {
      return (await requirePublic(guildId)).log.checkpoint;
    },
    /** The bytes of a tile by its path below `tile/`. */
    async publicTile(guildId: string, path: string): Promise<Uint8Array> {
      const name = parseTilePath(path);
      const { guild, log } = await requirePublic(guildId);
      if (name === undefined || tileWidth(name, log.size) < name.width) {
        throw new DomainError('path_not_found');
      }
      const hashes = await seals.tile(guild, log, name);
      return hashes.subarray(0, name.width * HASH_BYTES);
    },
  };
}

export type Seals = ReturnType<typeof createSeals>;
