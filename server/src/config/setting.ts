import { OperatorError } from '../domain/errors.ts';

export interface Setting<Value = unknown> {
  name: string;
  /** As it would be written in the environment; undefined when there is none. */
  defaultText: string | undefined;
  doc: string;
  /** The accepted values in words. */
  form: string;
  isSecret?: boolean;
  /** How the value is printed, when not as it is. */
  show?: (text: string) => string;
  /** Throws an Error with the rule in words when the text does not fit. */
  parse: (text: string) => Value;
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Everything that is wrong with the settings, in one go. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(['The configuration has faults:', ...faults.map((fault) => `  ${fault}`)].join('\n'));
    this.faults = faults;
  }
}

/** Where a setting's value comes from, when the file's settings were added to the environment. Empty counts as absent. */
export function sourceOf(
  { name, defaultText }: Pick<Setting, 'name' | 'defaultText'>,
  environment: EnvironmentVariables,
  file: EnvironmentVariables = {},
): { text: string | undefined; source: 'environment' | 'file' | 'default' } {
  const given = environment[name];
  if (given === undefined || given === '') {
    return { text: defaultText, source: 'default' };
  }
  return { text: given, source: file[name] === given ? 'file' : 'environment' };
}
