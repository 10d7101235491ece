import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@guildbook/client';
import { endNow, runCommand, type ServerProcess, startServer } from '../../server/test/support/process.ts';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { createRuntime, installLuau, type LuauRuntime } from './luau-runtime.ts';
import type { SampleService } from './sample-service.ts';
import type { Step } from './steps.ts';

const ALL_SCOPES = 'guild:read,guild:write,users:read';
/** More than the service admits in a second. */
const BURST = 20;

export function checkLuau(folder: string, service: SampleService): Step[] {
  return [{ name: 'Luau: tests and example against the service', run: () => runTests(folder, service) }];
}

async function runTests(folder: string, service: SampleService): Promise<void> {
  const module = await installLuau(folder);
  const restarted = await startRestarted(path.join(folder, 'restarted'));
  try {
    const facts = await gatherFacts(folder, service, restarted);
    let failures = 0;
    for (const file of ['test/client.luau', 'test/service.luau', 'test/example.luau']) {
      const runtime = await createRuntime(module, hostFunctions(facts, restarted));
      failures += await runFile(runtime, file, facts);
    }
    if (failures > 0) {
      throw new Error(`${failures} tests failed`);
    }
  } finally {
    await restarted.stop();
  }
}

async function runFile(runtime: LuauRuntime, file: string, facts: Facts): Promise<number> {
  const guildbook = await runtime.run('Guildbook.luau');
  const platform = await runtime.run('test/platform.luau');
  const tests = await runtime.run('test/expect.luau');
  const support = await runtime.run('test/support.luau', guildbook, platform, JSON.stringify(facts));
  const load = await runtime.createLoader();
  const failures = await runtime.run(file, guildbook, platform, tests, support, load);
  if (typeof failures !== 'number') {
    throw new Error(`${file} did not return the number of failures`);
  }
  return failures;
}

/** Addresses, keys and ids of the services for the tests. */
interface Facts {
  baseUrl: string;
  key: string;
  limitedKey: string;
  strictKey: string;
  readKey: string;
  wrongKey: string;
  dischargeId: string;
  transferId: string;
  restartedUrl: string;
  restartedKey: string;
}

async function gatherFacts(folder: string, service: SampleService, restarted: Restarted): Promise<Facts> {
  const store = { folder, databaseUrl: service.databaseUrl };
  await runTool(store, ['guild', 'set', 'luau', '--name', 'Luau', '--plan', 'developer']);
  await runTool(store, [
    'guild',
    'set',
    'luau-strict',
    '--name',
    'S',
    '--plan',
    'developer',
    '--overdraft',
    'forbid',
  ]);
  const sample = createClient({ baseUrl: service.address, apiKey: service.key });
  const [discharge] = (await sample.listDischarges({ limit: 1 })).items;
  const [transfer] = (await sample.listTransfers({ limit: 1 })).items;
  return {
    baseUrl: service.address,
    key: service.key,
    limitedKey: await createKey(store, 'luau'),
    strictKey: await createKey(store, 'luau-strict'),
    readKey: await createKey(store, 'luau', 'guild:read'),
    wrongKey: `gbk_${'x'.repeat(46)}`,
    dischargeId: discharge?.id ?? '',
    transferId: transfer?.id ?? '',
    restartedUrl: restarted.address,
    restartedKey: restarted.key,
  };
}

/** The functions that test/platform.luau and the tests call. */
function hostFunctions(facts: Facts, restarted: Restarted): Record<string, unknown> {
  let killsDuringNext = false;
  return {
    async hostSend(method: string, url: string, headers: string, body: string): Promise<string> {
      const lines = headers.split('\n').map((line) => line.split(': ', 2) as [string, string]);
      const sending = fetch(url, {
        method,
        headers: lines,
        redirect: 'manual',
        ...(body !== '' && { body }),
      });
      if (killsDuringNext) {
        killsDuringNext = false;
        restarted.kill();
      }
      const response = await sending;
      const head = [
        String(response.status),
        ...Array.from(response.headers, ([name, value]) => `${name}: ${value}`),
      ];
      return `${head.join('\n')}\n\n${await response.text()}`;
    },
    hostWait: (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000)),
    hostClock: () => performance.now() / 1_000,
    hostGuid: () => randomUUID(),
    hostPrint: (text: string) => console.log(text),
    hostKillDuringNextRequest() {
      killsDuringNext = true;
    },
    hostRestart: () => restarted.restart(),
    async hostUseUpLimit(): Promise<void> {
      const url = `${facts.baseUrl}/guild/ledger/limited/transactions`;
      const headers = { 'x-api-key': facts.limitedKey };
      const answers = Array.from({ length: BURST }, () => fetch(url, { headers }));
      await Promise.all(answers.map(async (answer) => (await answer).text()));
    },
  };
}

/** A service with a store of its own, which the tests kill and start again on the same port. */
interface Restarted {
  address: string;
  key: string;
  kill(): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function startRestarted(folder: string): Promise<Restarted> {
  mkdirSync(folder);
  const store = { folder, databaseUrl: `sqlite:${path.join(folder, 'guildbook.db')}` };
  await runTool(store, ['guild', 'set', 'own', '--name', 'Own', '--plan', 'developer']);
  const key = await createKey(store, 'own');
  const env = { DATABASE_URL: store.databaseUrl, PORT: String(await findSparePort()) };
  let server: ServerProcess = await startServer({ cwd: folder, env });
  return {
    address: server.address,
    key,
    kill() {
      server.child.kill('SIGKILL');
    },
    async restart() {
      await endNow(server.child);
      server = await startServer({ cwd: folder, env });
    },
    stop: () => endNow(server.child),
  };
}

interface Store {
  folder: string;
  databaseUrl: string;
}

async function createKey(store: Store, guildId: string, scopes = ALL_SCOPES): Promise<string> {
  const options = ['--guild', guildId, '--name', 'check', '--scopes', scopes, '--expires', '1d', '--json'];
  return JSON.parse(await runTool(store, ['key', 'create', ...options])).key;
}

async function runTool({ folder, databaseUrl }: Store, args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runCommand(args, {
    cwd: folder,
    env: { DATABASE_URL: databaseUrl },
  });
  if (status !== 0) {
    throw new Error(`guildbook ${args.join(' ')} ended with status ${status}: ${stderr}`);
  }
  return stdout;
}
