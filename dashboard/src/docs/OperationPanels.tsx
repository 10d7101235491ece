import { RequestPanel } from './RequestPanel.tsx';
import { liveView, ResponsePanel } from './ResponsePanel.tsx';
import type { Operation, Reference } from './reference/model.ts';
import { useTrial } from './use-trial.ts';

interface OperationPanelsProps {
  operation: Operation;
  reference: Reference;
  view: string;
  onView: (view: string) => void;
}

/** The request with its snippets and its form, and the answer. */
export function OperationPanels({ operation, reference, view, onView }: OperationPanelsProps) {
  const trial = useTrial(operation, reference);
  return (
    <>
      <RequestPanel
        operation={operation}
        reference={reference}
        trial={trial}
        onSend={() => trial.send() && onView(liveView)}
      />
      <ResponsePanel operation={operation} trial={trial} view={view} onView={onView} />
    </>
  );
}
