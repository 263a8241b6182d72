import { useBlocker } from '@tanstack/react-router'
import { useRef, useState, type ReactNode } from 'react'
import type { MadeKey } from '../../../api/keys.ts'
import { keysDictionary } from '../../../dictionaries/keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx'
import type { DialogProps } from '../../../ui/dialog-parts.tsx'
import { SecretShown } from './secret-shown.tsx'

/**
 * A dialog with a form that ends in a secret, which is then shown once. The secret lives in the state of this component:
 * the parent takes it off the page by `onClose`, and it is gone with it.
 */
export function SecretFlow(props: {
  readonly title: string
  readonly description?: string
  titleWhenMade(keyName: string): string
  /** What is said about the old secret, if there was one. */
  note?(made: MadeKey): string | null
  onClose(): void
  /** The form. */
  children(onMade: (made: MadeKey) => void): ReactNode
}): ReactNode {
  const t = keysDictionary.useTexts().secret
  const [made, setMade] = useState<MadeKey | null>(null)
  const [isSaved, setSaved] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const isSafeToLeave = made === null || made.secret === null || isSaved
  /** The reader said to leave without having saved it. */
  const isLeaving = useRef(false)
  // Back in the browser closes what stands in the address, and would take the secret along.
  const blocker = useBlocker({
    shouldBlockFn: () => !isSafeToLeave && !isLeaving.current,
    enableBeforeUnload: () => !isSafeToLeave,
    withResolver: true,
  })
  const leave = (): void => (isSafeToLeave ? props.onClose() : setAsking(true))
  const foot = (
    <>
      {made?.secret !== null && (
        <div className="mr-auto max-sm:basis-full!">
          <Checkbox checked={isSaved} onChecked={setSaved}>
            {t.saved}
          </Checkbox>
        </div>
      )}
      <Button look="primary" onClick={leave}>
        {t.done}
      </Button>
    </>
  )
  const phase: Omit<DialogProps, 'isOpen' | 'onClose'> =
    made === null
      ? { title: props.title, ...(props.description === undefined ? {} : { description: props.description }) }
      : { title: props.titleWhenMade(made.key.name), size: 'large', foot }
  return (
    <>
      {/* The same dialog before and after, so that nothing flickers and the focus has one home. */}
      <Dialog isOpen onClose={leave} {...phase}>
        {made === null ? (
          props.children(setMade)
        ) : (
          <SecretShown made={made} note={props.note?.(made) ?? null} onCopied={() => setSaved(true)} />
        )}
      </Dialog>
      <ConfirmDialog
        isOpen={isAsking || blocker.status === 'blocked'}
        onClose={() => {
          setAsking(false)
          blocker.reset?.()
        }}
        title={t.leaveTitle}
        action={t.leave}
        cancel={t.stay}
        isDangerous
        onConfirm={() => {
          isLeaving.current = true
          if (blocker.status === 'blocked') blocker.proceed()
          else props.onClose()
        }}
      >
        {t.leaveText}
      </ConfirmDialog>
    </>
  )
}
