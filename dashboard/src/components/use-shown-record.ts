import { useLocation, useNavigate, useSearchParams } from 'react-router';

const parameter = 'record';

interface ShownRecord {
  /** The record whose details the address asks for. */
  id: string | undefined;
  show: (id: string) => void;
  /** Goes to another one without leaving a trace of this one in the history. */
  exchange: (id: string) => void;
  hide: () => void;
}

/** Which record's details are open, kept in the address. Closing them leaves no trace in the history. */
export function useShownRecord(): ShownRecord {
  const [parameters, setParameters] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const isOpenedHere = typeof state === 'object' && state !== null && 'isRecordOpened' in state;
  const show = (id: string) => {
    const next = new URLSearchParams(parameters);
    next.set(parameter, id);
    setParameters(next, { state: { isRecordOpened: true }, preventScrollReset: true });
  };
  const exchange = (id: string) => {
    const next = new URLSearchParams(parameters);
    next.set(parameter, id);
    setParameters(next, { state, replace: true, preventScrollReset: true });
  };
  const hide = () => {
    // Whoever came by the list goes back to it; whoever came by a link gets the list in its place.
    if (isOpenedHere) {
      navigate(-1);
      return;
    }
    const next = new URLSearchParams(parameters);
    next.delete(parameter);
    setParameters(next, { replace: true, preventScrollReset: true });
  };
  return { id: parameters.get(parameter) || undefined, show, exchange, hide };
}
