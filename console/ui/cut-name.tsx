import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** What differs between names of one family mostly stands at their end. */
const TAIL = 10
/** Shorter ones fit wherever names stand. */
const SHORT = 24
/** Longer ones do not fit on three lines of a card on a phone. */
const WRAPPED = 45
const WRAPS = 'max-lg:whitespace-normal max-lg:[overflow-wrap:anywhere]'

/**
 * A name of any length on one line: a long one is cut in its middle, and whole for the pointer and for screen readers.
 * `wrapsOnCards`: on a card, beside buttons, it takes more lines instead, unless it is very long.
 */
export function CutName(props: {
  readonly text: string
  readonly className?: string
  readonly wrapsOnCards?: boolean
}): ReactNode {
  const { text, className } = props
  const wraps = props.wrapsOnCards === true && text.length <= WRAPPED
  if (text.length <= SHORT)
    return <span className={classNames('whitespace-nowrap', wraps && WRAPS, className)}>{text}</span>
  return (
    <span title={text} className={classNames('inline-block min-w-0 align-bottom', className)}>
      <span className="sr-only">{text}</span>
      <span
        aria-hidden="true"
        className={classNames('flex whitespace-pre select-none', wraps && `max-lg:block ${WRAPS}`)}
      >
        <span
          className={classNames('min-w-0 flex-1 truncate', wraps && 'max-lg:overflow-visible max-lg:whitespace-normal')}
        >
          {text.slice(0, -TAIL)}
        </span>
        <span className="shrink-0">{text.slice(-TAIL)}</span>
      </span>
    </span>
  )
}

/** A list or a sentence on one line of a table, cut at its end and whole for the pointer; on a card it takes more lines. */
export function CutText({ text, className }: { readonly text: string; readonly className: string }): ReactNode {
  return (
    <span
      title={text}
      className={classNames(
        'block truncate max-lg:max-w-full! max-lg:overflow-visible max-lg:whitespace-normal',
        className,
      )}
    >
      {text}
    </span>
  )
}
