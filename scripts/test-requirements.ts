import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// The tests run against real services and in a real browser. This makes sure that the programs are there before
// anything else begins: on Debian and its kin, as root, it installs what is missing; elsewhere it says what to install.

interface Requirement {
  program: string;
  purpose: string;
  debianPackage: string;
  /** Folders to look into beside those of PATH. */
  folders?: string[];
  /** A setting that names the program's own place. */
  setting?: string;
}

const REQUIREMENTS: Requirement[] = [
  {
    program: 'chromium',
    purpose: 'the dashboard in a browser',
    debianPackage: 'chromium',
    setting: 'CHROMIUM_PATH',
  },
  {
    program: 'initdb',
    purpose: 'the store on PostgreSQL (15 or newer)',
    debianPackage: 'postgresql',
    folders: globSync('/usr/lib/postgresql/*/bin'),
  },
  { program: 'redis-server', purpose: 'the shared rate limit', debianPackage: 'redis-server' },
  { program: 'openssl', purpose: 'a certificate for Redis', debianPackage: 'openssl' },
  { program: 'haproxy', purpose: 'restarts behind a load balancer', debianPackage: 'haproxy' },
];

function isPresent({ program, folders = [], setting }: Requirement): boolean {
  const own = setting === undefined ? undefined : process.env[setting];
  if (own !== undefined && own !== '') {
    return existsSync(own);
  }
  const searched = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin', ...folders];
  return searched.some((folder) => existsSync(join(folder, program)));
}

function isMissing(requirement: Requirement): boolean {
  return !isPresent(requirement);
}

/** The services must not be started: the tests start their own, on spare ports and with data in a temporary folder. */
function install(packages: string[]): void {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const steps = [['update'], ['install', '--yes', '--no-install-recommends', ...packages]];
  for (const step of steps) {
    console.log(`apt-get ${step.join(' ')}`);
    const { status, stdout, stderr } = spawnSync('apt-get', ['--quiet', ...step], {
      env: environment,
      encoding: 'utf8',
    });
    if (status !== 0) {
      console.error(`${stdout ?? ''}${stderr ?? ''}`);
    }
  }
}

const missing = REQUIREMENTS.filter(isMissing);
const packages = missing.map(({ debianPackage }) => debianPackage);
if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  install(packages);
}
const stillMissing = missing.filter(isMissing);
if (stillMissing.length > 0) {
  const lines = stillMissing.map(({ program, purpose, setting }) => {
    const hint = setting === undefined ? '' : ` (or set ${setting} to its place)`;
    return `  ${program} for ${purpose}${hint}`;
  });
  console.error(
    `The tests need programs that are not here:\n${lines.join('\n')}\n` +
      `On Debian and Ubuntu: sudo apt-get install --no-install-recommends ${packages.join(' ')}`,
  );
  process.exitCode = 1;
}
