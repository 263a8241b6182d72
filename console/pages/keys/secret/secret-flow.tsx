import { useState, type ReactNode } from 'react'
import type { MadeKey } from '../../../api/keys.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { SavedFoot, useLeaveQuestion } from '../../../forms/leave-question.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
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
  const t = useTexts('keys').secret
  const [made, setMade] = useState<MadeKey | null>(null)
  const [isSaved, setSaved] = useState(false)
  const isSafeToLeave = made === null || made.secret === null || isSaved
  const { leave, question } = useLeaveQuestion({ isSafeToLeave, texts: t, onClose: () => props.onClose() })
  const saved = made?.secret === null ? null : { label: t.saved, isSaved, onSaved: setSaved }
  const foot = <SavedFoot saved={saved} done={t.done} onDone={leave} />
  const phase: Omit<DialogProps, 'isOpen' | 'onClose'> =
    made === null
      ? { title: props.title, ...(props.description === undefined ? {} : { description: props.description }) }
      : { title: props.titleWhenMade(made.key.name), size: 'tall', foot }
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
      {question}
    </>
  )
}
