import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';
import { sessionQuery } from '../api/session.ts';
import {
  type DraftPlace,
  dropDraft,
  findDraftedForm,
  hasSameShape,
  keepDraft,
  readDraft,
} from './form-drafts.ts';
import { useSession } from './session-context.ts';

/** What a form needs for its draft; every form of the library has it. */
export type DraftableForm<Values> = Pick<UseFormReturnType<Values>, 'isDirty' | 'getValues' | 'setValues'>;

function useDraftPlace(formId: string): DraftPlace {
  const { guildId = '' } = useParams();
  const { chatId } = useSession().user;
  return { chatId, formId: `${guildId}/${formId}` };
}

/** Whether a draft waits for a form when its page opens, so that the page opens the form too. */
export function useHasDraft(formId: string): boolean {
  const place = useDraftPlace(formId);
  const [hasDraft] = useState(() => readDraft(place) !== undefined);
  return hasDraft;
}

/**
 * The same for forms about one of many things: of which of them, by the end of the form's id, a draft waits when the
 * page opens.
 */
export function useDraftedId(beginning: string): string | undefined {
  const place = useDraftPlace(beginning);
  const [id] = useState(() => findDraftedForm(place));
  return id;
}

/**
 * Keeps what was entered when the session ends, or the page is loaded anew, under an open form; and puts it back when
 * the same person opens the form again. Tells whether it did.
 */
export function useFormDraft<Values>(formId: string, form: DraftableForm<Values>): boolean {
  const place = useDraftPlace(formId);
  const queryClient = useQueryClient();
  const [kept] = useState(() => readDraft(place));
  const isRestored = kept !== undefined && hasSameShape(kept, form.getValues());
  const latest = useRef({ form, place });
  useEffect(() => {
    latest.current = { form, place };
  });
  useEffect(() => {
    if (kept === undefined) return;
    dropDraft(latest.current.place);
    // It has the fields of this form, of the same types.
    if (isRestored) latest.current.form.setValues(kept as Values);
  }, [kept, isRestored]);
  useEffect(() => {
    const keep = () => {
      const now = latest.current;
      if (now.form.isDirty()) keepDraft(now.place, now.form.getValues());
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      if (queryClient.getQueryData(sessionQuery.queryKey) === null) keep();
    };
  }, [queryClient]);
  return isRestored;
}
