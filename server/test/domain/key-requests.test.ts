import { expect, it } from 'vitest';
import { createKeyRequests, type NewKeyRequest } from '../../src/domain/access/key-requests.ts';
import { DomainError, type ErrorCode } from '../../src/domain/errors.ts';
import { aKeyRequest } from '../contract/specimens.ts';

function openRequests() {
  const written: string[] = [];
  let failure: ErrorCode | undefined;
  const requests = createKeyRequests({
    async add(added: readonly NewKeyRequest[]) {
      if (failure !== undefined) {
        throw new DomainError(failure);
      }
      written.push(...added.map(({ requestId }) => requestId));
    },
    list: async () => [],
  });
  const note = (keyNo: number, ...ids: (string | number)[]) => {
    for (const id of ids) {
      requests.note(aKeyRequest(keyNo, { requestId: String(id) }));
    }
  };
  return {
    written,
    note,
    flush: requests.flush,
    isWanted: requests.isWanted,
    async failWith(code: ErrorCode) {
      failure = code;
      await expect(requests.flush()).rejects.toMatchObject({ code });
      failure = undefined;
    },
  };
}

it('requests wait on while the store is unavailable, before those that came meanwhile', async () => {
  const { note, failWith, flush, written } = openRequests();
  note(1, 'a', 'b');
  await failWith('store_unavailable');
  note(1, 'c');
  await flush();
  await flush();
  expect(written).toEqual(['a', 'b', 'c']);
});

it('requests that the store refuses are not written again', async () => {
  const { note, failWith, flush, written } = openRequests();
  note(1, 'a');
  await failWith('internal');
  note(1, 'b');
  await flush();
  expect(written).toEqual(['b']);
});

it('the last 200 requests of a key wait, and those of others are not displaced', async () => {
  const { note, flush, written } = openRequests();
  note(1, ...Array.from({ length: 300 }, (_, index) => index));
  note(2, 'other');
  await flush();
  expect(written).toEqual([...Array.from({ length: 200 }, (_, index) => String(index + 100)), 'other']);
});

it('of many keys a few requests wait each, 1,000 in all', async () => {
  const { note, flush, written } = openRequests();
  for (let keyNo = 1; keyNo <= 5_000; keyNo += 1) {
    note(keyNo, 'x');
  }
  await flush();
  expect(written).toHaveLength(1_000);
});

it('no request is wanted while 1,000 wait, until they are written', async () => {
  const { note, flush, isWanted, written } = openRequests();
  for (let keyNo = 0; keyNo < 999; keyNo += 1) {
    note(keyNo, keyNo);
  }
  expect(isWanted(1_000)).toBe(true);
  note(999, 'last');
  expect(isWanted(1_000)).toBe(false);
  note(1_000, 'too many');
  await flush();
  expect(written).toHaveLength(1_000);
  expect(written).not.toContain('too many');
  expect(isWanted(1_000)).toBe(true);
});

it('of a flood of one key every thirty-first request is kept, and all of other keys and after the next write', async () => {
  const { note, flush, isWanted, written } = openRequests();
  const send = (keyNo: number, first: number, last: number) => {
    for (let id = first; id <= last; id += 1) {
      if (isWanted(keyNo)) {
        note(keyNo, id);
      }
    }
  };
  send(1, 1, 9_000);
  send(2, 10_001, 10_010);
  await flush();
  const ofFlood = written.map(Number).filter((id) => id <= 9_000);
  expect(ofFlood).toHaveLength(200);
  expect(ofFlood).toEqual(Array.from({ length: 200 }, (_, index) => 8_990 - (199 - index) * 31));
  expect(written.filter((id) => Number(id) > 10_000)).toHaveLength(10);
  send(1, 11_001, 11_010);
  await flush();
  expect(written.filter((id) => Number(id) > 11_000)).toHaveLength(10);
});

it('floods of several keys leave the newest requests of a key that sends few', async () => {
  const { note, flush, isWanted, written } = openRequests();
  const send = (keyNo: number, ids: readonly string[]) => {
    for (const id of ids) {
      if (isWanted(keyNo)) {
        note(keyNo, id);
      }
    }
  };
  for (let keyNo = 1; keyNo <= 5; keyNo += 1) {
    send(
      keyNo,
      Array.from({ length: 900 }, (_, index) => `${keyNo}-${index}`),
    );
  }
  send(
    6,
    Array.from({ length: 10 }, (_, index) => `few-${index}`),
  );
  await flush();
  expect(written.filter((id) => id.startsWith('few'))).toEqual(['few-6', 'few-7', 'few-8', 'few-9']);
});
