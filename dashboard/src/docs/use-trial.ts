import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useCredentials } from './credentials.tsx';
import type { Operation, Reference } from './reference/model.ts';
import { type BuiltRequest, buildRequest } from './request/build-request.ts';
import { type FormValues, findFaults, initialValues } from './request/form-values.ts';
import { type LiveAnswer, sendRequest } from './request/send-request.ts';

/** Everything that trying one operation needs: what was typed, what it makes, what came back. */
export interface Trial {
  values: FormValues;
  setParameter: (key: string, value: string) => void;
  setBody: (body: string) => void;
  /** Faults to show; none before the first attempt to send, except in the body. */
  faults: Record<string, string>;
  /** For the snippets: has a stand-in where a needed credential is missing. */
  shownRequest: BuiltRequest;
  /** Sends when there is no fault; answers whether it did. */
  send: () => boolean;
  isSending: boolean;
  answer: LiveAnswer | undefined;
  failure: string | undefined;
}

export function useTrial(operation: Operation, reference: Reference): Trial {
  const [values, setValues] = useState(() => initialValues(operation));
  const [wasTried, setTried] = useState(false);
  const { values: credentials } = useCredentials();
  const mutation = useMutation({ mutationFn: sendRequest });
  const source = useMemo(() => {
    const baseUrl = `${window.location.origin}${reference.basePath}`;
    return { baseUrl, operation, values, schemes: reference.credentials, credentials };
  }, [operation, reference, values, credentials]);
  const shownRequest = useMemo(() => buildRequest({ ...source, withStandIns: true }), [source]);
  const faults = useMemo(() => findFaults(operation, values), [operation, values]);
  const bodyFault = faults.body === undefined ? {} : { body: faults.body };
  return {
    values,
    setParameter: (key, value) =>
      setValues((before) => ({ ...before, parameters: { ...before.parameters, [key]: value } })),
    setBody: (body) => setValues((before) => ({ ...before, body })),
    faults: wasTried ? faults : bodyFault,
    shownRequest,
    send: () => {
      setTried(true);
      if (Object.keys(faults).length > 0) return false;
      mutation.mutate(buildRequest(source));
      return true;
    },
    isSending: mutation.isPending,
    answer: mutation.data,
    failure: mutation.error?.message,
  };
}
