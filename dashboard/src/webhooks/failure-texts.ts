import { t } from '@lingui/core/macro';
import { lazily } from '../components/lazily.ts';

const ANSWERED = /^answered (\d+)(: redirects are not followed)?(?:: ([\s\S]+))?$/;
/** The hostname of an endpoint, then a sentence. */
const ABOUT_HOST = /^(\S+): ([\s\S]+)$/;
const UNKNOWN_CODE = /^the request failed \((.+)\)$/;
const NO_ADDRESS = /^(\S+) has no address$/;
const NOT_PUBLIC =
  /^(\S+) is not on the public Internet; the operator can allow it with WEBHOOK_ALLOWED_NETWORKS$/;

/** Translations of the service's sentences. */
const sentences = lazily(
  (): Readonly<Record<string, string>> => ({
    'no answer in time': t`no answer in time`,
    'the name does not exist': t`the name does not exist`,
    'the name could not be resolved': t`the name could not be resolved`,
    'its name server does not answer': t`its name server does not answer`,
    'too many names of this guild are being resolved, try again in some seconds': t`too many names of this guild are being resolved, try again in some seconds`,
    'the connection was refused': t`the connection was refused`,
    'the connection was cut off': t`the connection was cut off`,
    'the machine is out of reach': t`the machine is out of reach`,
    'the network is out of reach': t`the network is out of reach`,
    'the connection timed out': t`the connection timed out`,
    'the answer was not HTTP': t`the answer was not HTTP`,
    'it must begin with https://; plain http is for WEBHOOK_ALLOWED_NETWORKS alone': t`it must begin with https://; plain http is for WEBHOOK_ALLOWED_NETWORKS alone`,
  }),
);

/** Why a delivery failed. The service writes it in English; an unknown text, such as one of another version, stays as it is. */
export function failureText(error: string): string {
  const [, host, rest = ''] = ABOUT_HOST.exec(error) ?? [];
  const about = host === undefined ? undefined : (sentences()[rest] ?? unknownCodeText(rest));
  return (
    answerText(error) ??
    sentences()[error] ??
    addressText(error) ??
    (about === undefined ? error : `${host}: ${about}`)
  );
}

/** An answer with another status than success, and the beginning of its body. */
function answerText(error: string): string | undefined {
  const [, status, redirect, body] = ANSWERED.exec(error) ?? [];
  if (status === undefined) {
    return undefined;
  }
  const what =
    redirect === undefined ? t`answered ${status}` : t`answered ${status}: redirects are not followed`;
  return body === undefined ? what : `${what}: ${body}`;
}

function unknownCodeText(sentence: string): string | undefined {
  const [, code] = UNKNOWN_CODE.exec(sentence) ?? [];
  return code === undefined ? undefined : t`the request failed (${code})`;
}

/** Why the service did not send to a name at all. */
function addressText(error: string): string | undefined {
  const [, unknown] = NO_ADDRESS.exec(error) ?? [];
  const [, inside] = NOT_PUBLIC.exec(error) ?? [];
  if (unknown !== undefined) {
    return t`${unknown} has no address`;
  }
  return inside === undefined
    ? undefined
    : t`${inside} is not on the public Internet; the operator can allow it with WEBHOOK_ALLOWED_NETWORKS`;
}
