import { OperatorError } from '../domain/errors.ts';

export interface Setting<Value = unknown> {
  name: string;
  /** The default as written in the environment; undefined when there is none. */
  defaultText: string | undefined;
  doc: string;
  /** A description of the accepted values. */
  form: string;
  isSecret?: boolean;
  /** Formats the value for printing, when it is not printed unchanged. */
  show?: (text: string) => string;
  /** Throws an Error with the rule when the text is invalid. */
  parse: (text: string) => Value;
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** All errors of the settings at once. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(['The configuration has faults:', ...faults.map((fault) => `  ${fault}`)].join('\n'));
    this.faults = faults;
  }
}

/**
 * The source of a setting's value after the file's settings were added to the environment. An empty value counts as
 * absent.
 */
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
