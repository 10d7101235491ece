import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { presentParameters } from './search-filters.ts';

const parameter = 'record';

interface ShownRecord {
  /** The record in the address whose details are open. */
  id: string | undefined;
  show: (id: string) => void;
  /** Shows another record, replacing this one in the history. */
  exchange: (id: string) => void;
  hide: () => void;
}

/** The record whose details are open, stored in the address. Closing them removes the entry from the history. */
export function useShownRecord(): ShownRecord {
  const [parameters, setParameters] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const isOpenedHere = typeof state === 'object' && state !== null && 'isRecordOpened' in state;
  const show = (id: string) => {
    const next = presentParameters();
    next.set(parameter, id);
    setParameters(next, { state: { isRecordOpened: true }, preventScrollReset: true });
  };
  const exchange = (id: string) => {
    const next = presentParameters();
    next.set(parameter, id);
    setParameters(next, { state, replace: true, preventScrollReset: true });
  };
  const hide = () => {
    // A person who opened the record from the list goes back to it. For a person who came by a link, the list
    // replaces the record.
    if (isOpenedHere) {
      navigate(-1);
      return;
    }
    const next = presentParameters();
    next.delete(parameter);
    setParameters(next, { replace: true, preventScrollReset: true });
  };
  return { id: parameters.get(parameter) || undefined, show, exchange, hide };
}
