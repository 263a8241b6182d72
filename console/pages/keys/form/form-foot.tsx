import type { ReactNode } from 'react'
import { Icon } from '../../../ui/icon.tsx'

/** The sentence and the buttons stay in sight however long the form is. */
export function FormFoot(props: {
  readonly label: string
  readonly note?: string | undefined
  readonly summary: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="grid gap-2.5">
      {props.note !== undefined && (
        <p className="flex gap-1.5 text-sm font-medium">
          <Icon name="edit" className="mt-0.5 text-accent" />
          <span>{props.note}</span>
        </p>
      )}
      <p role="note" aria-label={props.label} className="text-sm text-ink-2">
        {props.summary}
      </p>
      <div className="flex flex-wrap justify-end gap-2 max-sm:[&>*]:flex-1">{props.children}</div>
    </div>
  )
}
