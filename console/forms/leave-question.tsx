import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'

export interface LeaveTexts {
  readonly leaveTitle: string
  readonly leaveText: string
  readonly leave: string
  readonly stay: string
}

/**
 * Guards a dialog that shows a secret once: while the secret was not saved, `leave` asks before it closes the dialog, as does any other way to leave the page.
 */
export function useLeaveQuestion(props: {
  readonly isSafeToLeave: boolean
  readonly texts: LeaveTexts
  onClose(): void
}): { leave(): void; readonly question: ReactNode } {
  const { isSafeToLeave, texts, onClose } = props
  const [isAsking, setAsking] = useState(false)
  /** The reader said to leave without having saved it. */
  const isLeaving = useRef(false)
  // Back in the browser closes what stands in the address, and would take the secret along.
  const blocker = useBlocker({
    shouldBlockFn: () => !isSafeToLeave && !isLeaving.current,
    enableBeforeUnload: () => !isSafeToLeave,
    withResolver: true,
  })
  const question = (
    <ConfirmDialog
      isOpen={isAsking || blocker.status === 'blocked'}
      onClose={() => {
        setAsking(false)
        blocker.reset?.()
      }}
      title={texts.leaveTitle}
      action={texts.leave}
      cancel={texts.stay}
      isDangerous
      onConfirm={() => {
        isLeaving.current = true
        if (blocker.status === 'blocked') blocker.proceed()
        else onClose()
      }}
    >
      {texts.leaveText}
    </ConfirmDialog>
  )
  return { leave: () => (isSafeToLeave ? onClose() : setAsking(true)), question }
}

/** The foot of such a dialog: that the secret is saved, where there is one, and the way out. */
export function SavedFoot(props: {
  readonly saved: { readonly label: string; readonly isSaved: boolean; onSaved(isSaved: boolean): void } | null
  readonly done: string
  onDone(): void
}): ReactNode {
  const { saved, done, onDone } = props
  return (
    <>
      {saved !== null && (
        <div className="mr-auto max-sm:basis-full!">
          <Checkbox checked={saved.isSaved} onChecked={saved.onSaved}>
            {saved.label}
          </Checkbox>
        </div>
      )}
      <Button look="primary" onClick={onDone}>
        {done}
      </Button>
    </>
  )
}
