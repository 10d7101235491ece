import type { EnvironmentVariables } from './setting.ts';
import type { FileEntry, FindSetting } from './settings-file.ts';

/** Node.js and the C library read these at process start, before the settings file is read. */
const READ_AT_START =
  /^(?:NODE_(?:OPTIONS|EXTRA_CA_CERTS|ICU_DATA|USE_SYSTEM_CA|USE_ENV_PROXY)|(?:LD|MALLOC)_\w+|GLIBC_TUNABLES)$/;
/** Variables that the program's libraries use whenever they are set. */
const USED_BY_LIBRARIES =
  /^(?:TZ|LANG|LC_\w+|PG[A-Z]+|NODE_\w+|UV_\w+|SSL_CERT_(?:FILE|DIR)|TMPDIR|PATH|HOME)$/;
/** A name that can be printed. Any other text may be a line of a wrapped secret. */
const PRINTABLE = /^(?:[A-Z][A-Z0-9_]*|[a-z][a-z0-9_]*)$/;
/** Kubernetes sets such addresses for each service: GUILDBOOK_PORT for one named guildbook. */
const SERVICE_ADDRESS = /^(?:tcp|udp):\/\//;

export interface NameParts {
  /** The names of all settings. */
  settings: ReadonlySet<string>;
  findSimilar: FindSetting;
  /** Names that this command uses besides the settings. */
  others: ReadonlySet<string>;
  /** The environment before the file's settings were added. */
  environment: EnvironmentVariables;
}

export interface NameFindings {
  /** The setting that was most likely meant, when the name is mistyped. */
  similar?: string;
  warning?: string;
}

/** Checks a name of the file. Returns no findings for a setting, or for a variable that works from a file. */
export function judgeName({ name, value }: FileEntry, parts: NameParts): NameFindings {
  const { settings, others, environment } = parts;
  if (settings.has(name) || others.has(name) || environment[name] === value) {
    return {};
  }
  if (READ_AT_START.test(name)) {
    return {
      warning: `${name} has no effect in a file, which is read after the start; set it in the environment`,
    };
  }
  if (USED_BY_LIBRARIES.test(name)) {
    return {};
  }
  const similar = parts.findSimilar(name);
  return similar === undefined
    ? { warning: `${PRINTABLE.test(name) ? name : 'this'} is not a setting of Guildbook` }
    : { similar };
}

/**
 * Warnings about mistyped settings in the environment. It contains many names of other programs, so only clear cases
 * are reported: the setting itself is not set, and its name has more than one word.
 */
export function judgeEnvironment({ settings, findSimilar, environment }: NameParts): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (settings.has(name) || value === '' || SERVICE_ADDRESS.test(value) || USED_BY_LIBRARIES.test(name)) {
      return [];
    }
    const similar = findSimilar(name);
    const isClear = similar?.includes('_') === true && (environment[similar] ?? '') === '';
    return isClear ? [`the environment has ${name}, which is not a setting; did you mean ${similar}?`] : [];
  });
}
