import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { classNames } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'

/**
 * Text to be taken over as it stands. `text` is what is copied; `shown`, where given, is what is seen, with a secret
 * masked for instance. `title`: what it is, or the file it belongs to.
 */
export function CodeBlock(props: {
  readonly title: string
  readonly text: string
  readonly shown?: ReactNode
  /** What it is for, where several of one title stand on a page: screen readers hear it with the button. */
  readonly purpose?: string
  /** Words of its own, of which none is out of sight; a command stays on its line. */
  readonly isWrapped?: boolean
  /** Copying it is what is to be done now. */
  readonly isNext?: boolean
  /** What is said once it was copied, where that is more than "Copied". */
  readonly copied?: string | undefined
  onCopied?(): void
}): ReactNode {
  const t = useSharedTexts()
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-line bg-sunken">
      <figcaption
        className={classNames(
          'flex min-h-9 items-center justify-between gap-2 border-b border-line pl-3 [&>button]:shrink-0',
          props.isNext === true && 'py-1 pr-1',
        )}
      >
        <span className="min-w-0 truncate font-mono text-xs text-ink-2">{props.title}</span>
        <CopyButton
          text={props.text}
          what={t.copyItem(props.purpose === undefined ? props.title : t.labelled(props.title, props.purpose))}
          label={t.copy}
          look={props.isNext === true ? 'primary' : 'quiet'}
          copied={props.copied}
          {...(props.onCopied === undefined ? {} : { onCopied: props.onCopied })}
        />
      </figcaption>
      {/* Scrolls by itself, also by keyboard. */}
      <pre
        tabIndex={0}
        aria-label={props.title}
        className={classNames(
          'overflow-x-auto px-3 py-2.5 font-mono text-sm outline-offset-[-2px]',
          props.isWrapped === true && 'whitespace-pre-wrap',
        )}
      >
        <code>{props.shown ?? props.text}</code>
      </pre>
    </figure>
  )
}
