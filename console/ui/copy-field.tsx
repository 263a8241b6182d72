import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { CopyButton } from './copy-button.tsx'

/** A value that is there to be copied, such as a base URL, with its name. */
export function CopyField(props: {
  readonly label: string
  readonly value: string
  readonly hint?: ReactNode
  /** What is said once it was copied, where that is more than "Copied". */
  readonly copied?: string | undefined
  onCopied?(): void
}): ReactNode {
  const t = useSharedTexts()
  return (
    <div className="min-w-0">
      <div className="text-sm text-ink-3">{props.label}</div>
      <div className="mt-0.5 flex items-center rounded-md border border-line bg-sunken pl-2.5">
        <code className="min-w-0 flex-1 py-1 font-mono text-sm break-all select-all">{props.value}</code>
        <CopyButton
          text={props.value}
          what={t.copyItem(props.label)}
          copied={props.copied}
          {...(props.onCopied === undefined ? {} : { onCopied: props.onCopied })}
        />
      </div>
      {props.hint !== undefined && <div className="mt-1 text-sm text-ink-3">{props.hint}</div>}
    </div>
  )
}
