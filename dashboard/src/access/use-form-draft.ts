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

/** The parts of a form that drafts need; every form of the library has them. */
export type DraftableForm<Values> = Pick<UseFormReturnType<Values>, 'isDirty' | 'getValues' | 'setValues'>;

function useDraftPlace(formId: string): DraftPlace {
  const { guildId = '' } = useParams();
  const { chatId } = useSession().user;
  return { chatId, formId: `${guildId}/${formId}` };
}

/** True when a form has a draft as its page opens. The page then opens the form too. */
export function useHasDraft(formId: string): boolean {
  const place = useDraftPlace(formId);
  const [hasDraft] = useState(() => readDraft(place) !== undefined);
  return hasDraft;
}

/** The same for forms about one of many things. Returns the rest of the form's id, which identifies the thing. */
export function useDraftedId(beginning: string): string | undefined {
  const place = useDraftPlace(beginning);
  const [id] = useState(() => findDraftedForm(place));
  return id;
}

/**
 * Stores the values of an open form as a draft when the session ends or the page is reloaded, and restores them when
 * the same person opens the form again. Returns true when it restored a draft.
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
    // `hasSameShape` has checked that it has the fields of this form.
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
