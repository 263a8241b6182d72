import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import { usePersonId } from '../api/use-person-id.ts'
import { forgetDrafts, keptDraft, openDraft } from './kept-drafts.ts'

/** How a form survives the end of its writer's session. */
export interface DraftOptions<Draft> {
  /**
   * The form, and of an edit what is edited with its version: what another has saved meanwhile is not to be written over.
   * undefined: the form is not kept.
   */
  readonly keptAs: string | undefined
  /** What takes the place of what is secret: credentials are never kept. */
  readonly secrets?: Partial<Draft> | undefined
}

/**
 * The state of a form, like `useState`. Where the session ends while it is written, it begins after the sign-in with what was
 * written, for the same person in the same tab; what is sent or closed is gone. The last part says whether that was so.
 */
export function useDraft<Draft extends object>(
  initial: Draft | (() => Draft),
  { keptAs, secrets }: DraftOptions<Draft>,
): [Draft, Dispatch<SetStateAction<Draft>>, boolean] {
  const person = usePersonId()
  const [first] = useState(() => {
    const blank = typeof initial === 'function' ? initial() : initial
    const kept = keptAs === undefined || person === null ? undefined : keptDraft(keptAs, { person, nowMs: Date.now() })
    return { blank, kept: kept as Draft | undefined }
  })
  const [draft, setDraft] = useState<Draft>(first.kept ?? first.blank)
  const current = useRef<() => object | null>(() => null)
  current.current = () => {
    const written = { ...draft, ...secrets }
    return JSON.stringify(written) === JSON.stringify({ ...first.blank, ...secrets }) ? null : written
  }
  useEffect(() => {
    if (keptAs === undefined || person === null) return
    return openDraft(keptAs, { person, current: () => current.current() })
  }, [keptAs, person])
  const isBack = first.kept !== undefined
  useEffect(() => {
    if (!isBack || keptAs === undefined) return
    // Once drawn: a part of the page that was not loaded yet may have this form begin twice.
    forgetDrafts(keptAs)
  }, [isBack, keptAs])
  return [draft, setDraft, isBack]
}
