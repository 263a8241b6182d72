import type { ReactNode } from 'react'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** What a change of several accounts asks for; `changes`: of how many of them anything would be different. */
export function BulkDialog(props: {
  readonly title: string
  readonly changes: number
  readonly isBusy: boolean
  readonly children: ReactNode
  onSend(): void
  onClose(): void
}): ReactNode {
  const t = useTexts('accounts').bulk
  const shared = useSharedTexts()
  return (
    <Dialog
      isOpen
      title={props.title}
      onClose={props.onClose}
      foot={
        <div className="flex justify-end gap-2">
          <Button onClick={props.onClose}>{shared.cancel}</Button>
          <Button look="primary" isBusy={props.isBusy} disabled={props.changes === 0} onClick={props.onSend}>
            {t.send(props.changes)}
          </Button>
        </div>
      }
    >
      {props.children}
    </Dialog>
  )
}
