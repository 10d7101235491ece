import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../run.ts';
import { runProgram } from './steps.ts';

const RUNTIME = 'luau-web@1.4.0';
const CLIENT = path.join(ROOT, 'clients/luau');

/** A value of Luau, or one that Luau is given. Tables and functions of Luau pass through JavaScript unchanged. */
type LuauValue = unknown;
type LuauFunction = (...args: LuauValue[]) => Promise<LuauValue[]>;

/** The part of luau-web that is used. */
interface LuauModule {
  LuauState: {
    createAsync(globals: Record<string, LuauValue>): Promise<{
      loadstring(source: string, name: string, throws: true): LuauFunction;
    }>;
  };
}

/** Luau, compiled to WebAssembly. Luau waits for functions of JavaScript that return a promise. */
export interface LuauRuntime {
  /** Runs a file of clients/luau and returns its first value. The file gets the arguments as `...`. */
  run(file: string, ...args: LuauValue[]): Promise<LuauValue>;
  /** A function of Luau, `load(file, globals)`, that runs a file with further globals and returns its first value. */
  createLoader(): Promise<LuauValue>;
}

export async function installLuau(folder: string): Promise<LuauModule> {
  const prefix = path.join(folder, 'luau');
  await runProgram('npm', ['install', '--silent', '--no-save', '--prefix', prefix, RUNTIME]);
  // The package has two builds and prefers the one for this feature, in which pcall catches nothing.
  Reflect.deleteProperty(Reflect.get(globalThis, 'WebAssembly'), 'Suspending');
  const entry = path.join(prefix, 'node_modules/luau-web/src/index.js');
  return await import(pathToFileURL(entry).href);
}

export async function createRuntime(
  { LuauState }: LuauModule,
  globals: Record<string, LuauValue>,
): Promise<LuauRuntime> {
  const state = await LuauState.createAsync(globals);
  const load = (file: string) => state.loadstring(readFileSync(path.join(CLIENT, file), 'utf8'), file, true);
  return {
    run: async (file, ...args) => (await load(file)(...args))[0],
    async createLoader() {
      const source = `local compile = ...
        return function(file, globals)
          return setfenv(compile(file), setmetatable(globals, { __index = getfenv() }))()
        end`;
      return (await state.loadstring(source, 'loader', true)(load))[0];
    },
  };
}
