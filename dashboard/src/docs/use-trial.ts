import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useCredentials } from './credentials.tsx';
import type { Operation, Reference } from './reference/model.ts';
import { type BuiltRequest, buildRequest } from './request/build-request.ts';
import { type FormValues, findFaults, initialValues } from './request/form-values.ts';
import { type LiveAnswer, sendRequest } from './request/send-request.ts';

/** The state of trying one operation: the typed values, the request and the answer. */
export interface Trial {
  values: FormValues;
  setParameter: (key: string, value: string) => void;
  setBody: (body: string) => void;
  /** The errors to show; before the first attempt to send only those of the body. */
  faults: Record<string, string>;
  /** For the snippets: has a placeholder for a missing credential. */
  shownRequest: BuiltRequest;
  /** Sends the request when there are no errors; returns whether it did. */
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
