import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Button } from '../ui/button.tsx'
import type { Submission } from './use-submission.ts'

/** The foot of a form in a dialog. */
export function CancelOrSubmit(props: {
  readonly submission: Submission
  /** What is written on the button that sends. */
  readonly action: string
  onCancel(): void
}): ReactNode {
  const shared = useSharedTexts()
  return (
    <div className="flex flex-wrap justify-end gap-2 max-sm:[&>*]:flex-1">
      <Button onClick={props.onCancel}>{shared.cancel}</Button>
      <Button type="submit" look="primary" isBusy={props.submission.isSending}>
        {props.action}
      </Button>
    </div>
  )
}
